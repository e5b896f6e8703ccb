/**
 * `/api/events/stream`: live events of all agents, for pages that show them all.
 *
 * @module
 */

import type { Route } from "../http/route.ts";
import { eventStreamResponse } from "../http/sse.ts";
import { agentEventText, frames } from "./frames.ts";
import type { EventService } from "./types.ts";
import { agentEventData } from "./wire.ts";

/** What the routes work with. */
export interface EventRoutesDeps {
  readonly events: Pick<EventService, "subscribeAll">;
}

/** Makes the routes. */
export function eventRoutes({ events }: EventRoutesDeps): Route[] {
  return [{
    method: "GET",
    path: "/api/events/stream",
    scope: "read",
    produces: "text/event-stream",
    response: agentEventData,
    refusals: ["too_many_streams"],
    summary: "Streams the events of all agents as they happen, without a replay.",
    handler: () =>
      eventStreamResponse((signal) => frames(events.subscribeAll(signal), agentEventText, false)),
  }];
}
