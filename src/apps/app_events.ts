/**
 * An app's event stream: which events it sees, and in which frames (`facts/holon.md` §e.3–e.4,
 * `design.md` decision 10).
 *
 * @module
 */

import type { Delivery, EventService } from "../events/types.ts";
import { Fault } from "../fault.ts";
import { type EventFrame, eventStreamResponse } from "../http/sse.ts";
import { SDK_VERSION } from "./app_request.ts";

/**
 * Answers with the events of the requests of one app, replayed after `Last-Event-ID`, then live.
 *
 * @throws {Fault} `bad_request` for a damaged `Last-Event-ID`, `too_many_streams`
 */
export function appEventStream(
  events: Pick<EventService, "subscribe">,
  agentId: string,
  appId: string,
  request: Request,
): Response {
  const after = lastEventId(request.headers);
  return eventStreamResponse(
    (signal) =>
      framesOf(
        events.subscribe({
          topic: `agent:${agentId}`,
          filter: { origin: `app:${appId}` },
          after,
          signal,
        }),
        agentId,
        appId,
      ),
    { headers: { "x-holon-app-sdk-version": SDK_VERSION } },
  );
}

/**
 * Reads `Last-Event-ID`: an unsigned integer. One beyond what can be told exactly is as good as the
 * greatest that can: it is ahead of every event.
 *
 * @throws {Fault} `bad_request`
 */
export function lastEventId(headers: Headers): number | null {
  const value = headers.get("last-event-id");
  if (value === null) return null;
  if (!/^\d{1,32}$/.test(value)) {
    throw new Fault("bad_request", "The Last-Event-ID has to be an unsigned integer");
  }
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}

async function* framesOf(
  deliveries: AsyncIterable<Delivery>,
  agentId: string,
  appId: string,
): AsyncGenerator<EventFrame> {
  for await (const delivery of deliveries) {
    if (delivery.kind === "gap") {
      const { after, oldest } = delivery;
      yield { event: "holon_gap", data: JSON.stringify({ after, oldest }) };
      continue;
    }
    const { sequence, type, timestamp, messageId, requestId } = delivery.event;
    const data = {
      version: SDK_VERSION,
      agent_id: agentId,
      app_id: appId,
      event: { sequence, type, timestamp, message_id: messageId, request_id: requestId },
    };
    yield { event: "holon_event", id: String(sequence), data: JSON.stringify(data) };
  }
}
