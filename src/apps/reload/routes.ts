/**
 * `/-/reload`: one stream that tells all pages of a browser when their apps change.
 *
 * @module
 */

import { Fault } from "../../fault.ts";
import type { Clock } from "../../host/types.ts";
import { requireSegment } from "../../identifiers.ts";
import type { LiveReloadMode } from "../../config/settings.ts";
import { eventStreamResponse } from "../../http/sse.ts";
import type { Route } from "../../http/route.ts";
import { queryOf, type Target } from "../../http/target.ts";
import type { AppName, LiveReload } from "./live_reload.ts";
import { reloadFrames } from "./reload_frames.ts";
import { isLive } from "./reload_policy.ts";

/** What the routes need. */
export interface ReloadRouteOptions {
  readonly liveReload: LiveReload;
  /** Asked at each request. */
  readonly liveReloadMode: () => LiveReloadMode;
  readonly clock: Pick<Clock, "now">;
}

/** The most apps of one stream. */
const MAX_APPS = 64;

/** Makes the routes. */
export function reloadRoutes(options: ReloadRouteOptions): readonly Route[] {
  const { liveReload, liveReloadMode, clock } = options;
  return [{
    method: "GET",
    path: "/-/reload",
    scope: "app",
    summary: "Streams changes of the files of the apps in ?apps=agent/app,…, for live reload.",
    handler: (context) => {
      if (!isLive(liveReloadMode(), context)) {
        throw new Fault("not_found", "Live reload is off", {
          hint: "Run `holon config set local_apps.live_reload on`.",
        });
      }
      const apps = appsOf(context.target);
      return eventStreamResponse((signal) => reloadFrames(liveReload.follow(apps, signal), clock));
    },
  }];
}

// --- internal ---

function appsOf(target: Target): readonly AppName[] {
  const names = new Set((queryOf(target).get("apps") ?? "").split(","));
  if (names.size > MAX_APPS) {
    throw new Fault("bad_request", `One stream takes at most ${MAX_APPS} apps`);
  }
  return [...names].map((name) => {
    const [agentId = "", appId = "", ...rest] = name.split("/");
    if (rest.length > 0) throw new Fault("bad_request", "An app is named by agent/app");
    return {
      agentId: requireSegment(agentId, "The agent id"),
      appId: requireSegment(appId, "The app id"),
    };
  });
}
