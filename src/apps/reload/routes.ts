/**
 * `/api/reload`: one stream that tells all pages of a browser when their apps change.
 *
 * @module
 */

import { Fault } from "../../fault.ts";
import type { Route } from "../../http/route.ts";
import { queryOf, type Target } from "../../http/target.ts";
import { requireSegment } from "../../identifiers.ts";
import type { AppName } from "./live_reload.ts";
import { type ReloadOptions, reloadStream } from "./reload_stream.ts";
import { reloadData, reloadQuery } from "./wire.ts";

/** The most apps of one stream. */
const MAX_APPS = 64;

/** Makes the route. */
export function reloadRoutes(options: ReloadOptions): readonly Route[] {
  return [{
    method: "GET",
    path: "/api/reload",
    scope: "read",
    summary: "Streams changes of the files of apps, for live reload.",
    query: reloadQuery,
    produces: "text/event-stream",
    response: reloadData,
    refusals: ["not_found", "too_many_streams"],
    handler: (context) => reloadStream(appsOf(context.target), context, options),
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
