/**
 * Deliveries as frames of an event stream (`facts/holon.md` §e.3, `design.md` decision 10).
 *
 * @module
 */

import type { EventFrame } from "../http/sse.ts";
import type { Delivery, StoredEvent } from "./types.ts";

/** Makes the data of an event: one line of JSON. */
export type RenderEvent = (event: StoredEvent) => string;

/**
 * Turns deliveries into `holon_event` and `holon_gap` frames.
 *
 * @param isResumable whether a client can go on after an event's number: not where the stream
 * carries several topics
 */
export async function* frames(
  deliveries: AsyncIterable<Delivery>,
  render: RenderEvent,
  isResumable = true,
): AsyncGenerator<EventFrame> {
  for await (const delivery of deliveries) {
    if (delivery.kind === "gap") {
      const { after, oldest } = delivery;
      yield { event: "holon_gap", data: JSON.stringify({ after, oldest }) };
    } else {
      const { event } = delivery;
      const id = isResumable ? { id: String(event.sequence) } : {};
      yield { event: "holon_event", ...id, data: render(event) };
    }
  }
}

/** Makes each event's data once, however many streams carry it. */
export function renderOnce(render: RenderEvent): RenderEvent {
  const texts = new WeakMap<StoredEvent, string>();
  return (event) => {
    let text = texts.get(event);
    if (text === undefined) texts.set(event, text = render(event));
    return text;
  };
}

/** The data of an event of an agent, for those who may see all of them. */
export const agentEventText: RenderEvent = renderOnce((event) => {
  const { topic, sequence, type, timestamp, messageId, requestId, origin } = event;
  return JSON.stringify({
    version: "1",
    agent_id: topic.slice("agent:".length),
    event: { sequence, type, timestamp, message_id: messageId, request_id: requestId, origin },
  });
});
