/**
 * An app's event stream: which events it sees, and in which frames (`facts/holon.md` §e.3–e.4,
 * `design.md` decision 10).
 *
 * @module
 */

import { frames, type RenderEvent, renderOnce } from "../events/frames.ts";
import { lastEventIdOf } from "../events/last_event_id.ts";
import type { EventService } from "../events/types.ts";
import { eventStreamResponse } from "../http/sse.ts";
import { SDK_VERSION } from "./app_request.ts";
import type { Riding } from "./reload/reload_stream.ts";

/**
 * Answers with the events of the requests of one app, replayed after `Last-Event-ID`, then live.
 * `X-Holon-Newest-Event-Id` names the agent's newest event: a client that has seen none yet knows by
 * it where to go on when its connection is lost.
 *
 * @param ride adds what else is told on this stream
 * @throws {Fault} `bad_request` for a damaged `Last-Event-ID`, `too_many_streams`
 */
export function appEventStream(
  events: Pick<EventService, "newest" | "subscribe">,
  agentId: string,
  appId: string,
  request: Request,
  ride: Riding,
): Response {
  const topic = `agent:${agentId}` as const;
  const newest = events.newest(topic);
  // Without a position it begins after the event that the header names, so that none is in between.
  const after = lastEventIdOf(request.headers) ?? newest;
  const filter = { origin: `app:${appId}` };
  return eventStreamResponse(
    // Called at once, so that a refusal to subscribe is an answer and no broken stream.
    (signal) =>
      ride(frames(events.subscribe({ topic, filter, after, signal }), appEventText), signal),
    {
      headers: {
        "x-holon-app-sdk-version": SDK_VERSION,
        "x-holon-newest-event-id": String(newest),
      },
    },
  );
}

/** An event as the SDK gives it to the app; made once for all streams that carry it. */
const appEventText: RenderEvent = renderOnce((event) =>
  JSON.stringify({
    version: SDK_VERSION,
    agent_id: event.topic.slice("agent:".length),
    app_id: event.origin?.slice("app:".length),
    event: {
      sequence: event.sequence,
      type: event.type,
      timestamp: event.timestamp,
      message_id: event.messageId,
      request_id: event.requestId,
    },
  })
);
