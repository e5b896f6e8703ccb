/**
 * The streams that carry live reload: one of its own, or an app's event stream on which it rides
 * (`design.md` decision 11).
 *
 * @module
 */

import type { LiveReloadMode } from "../../config/settings.ts";
import { Fault } from "../../fault.ts";
import type { Clock } from "../../host/types.ts";
import type { RequestContext } from "../../http/route.ts";
import { type EventFrame, eventStreamResponse } from "../../http/sse.ts";
import type { AppName, LiveReload } from "./live_reload.ts";
import { mergedFrames, reloadFrames } from "./reload_frames.ts";
import { isLive } from "./reload_policy.ts";

/** What the streams need. */
export interface ReloadOptions {
  readonly liveReload: LiveReload;
  /** Asked at each request. */
  readonly liveReloadMode: () => LiveReloadMode;
  readonly clock: Pick<Clock, "now">;
}

/** Adds word of changed files to the frames of a stream, until the signal aborts. */
export type Riding = (
  events: AsyncIterable<EventFrame>,
  signal: AbortSignal,
) => AsyncIterable<EventFrame>;

/**
 * A request for an app's events has this header where it wants word of changed files: `too`, or
 * `only` those (an app with an origin of its own reaches no other stream).
 */
export const RELOAD_HEADER = "X-Holon-Reload";

type Sender = Pick<RequestContext, "info" | "request">;

/**
 * Streams changes of apps.
 *
 * @throws {Fault} `not_found` where live reload is off, `too_many_streams`
 */
export function reloadStream(
  apps: readonly AppName[],
  sender: Sender,
  { liveReload, liveReloadMode, clock }: ReloadOptions,
): Response {
  if (!isLive(liveReloadMode(), sender)) {
    throw new Fault("not_found", "Live reload is off", {
      hint: "Run `holon config set local_apps.live_reload on`.",
    });
  }
  return eventStreamResponse((signal) => reloadFrames(liveReload.follow(apps, signal), clock));
}

/** Whether a request for an app's events wants only word of changed files. */
export function wantsReloadOnly({ request }: Sender): boolean {
  return request.headers.get(RELOAD_HEADER) === "only";
}

/** What the request wants added to an app's events: nothing, unless it says so. */
export function ridingOf(
  app: AppName,
  sender: Sender,
  { liveReload, liveReloadMode, clock }: ReloadOptions,
): Riding {
  const wants = sender.request.headers.get(RELOAD_HEADER) === "too";
  if (!wants || !isLive(liveReloadMode(), sender)) return (events) => events;
  return (events, signal) => {
    try {
      return mergedFrames(events, reloadFrames(liveReload.follow([app], signal), clock));
    } catch (error) {
      // Events matter more: they go on alone.
      if (error instanceof Fault) return events;
      throw error;
    }
  };
}
