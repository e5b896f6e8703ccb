/**
 * Deliveries as frames of an event stream (`facts/holon.md` §e.3, `design.md` decision 10).
 *
 * @module
 */

import type { EventFrame, FrameSource } from "../http/sse.ts";
import type { Deliveries, Delivery, StoredEvent } from "./types.ts";

/** Makes the data of an event: one line of JSON. */
export type RenderEvent = (event: StoredEvent) => string;

/**
 * Turns deliveries into `holon_event` and `holon_gap` frames. The frame of an event is one object
 * for all streams that carry it.
 *
 * @param isResumable whether a client can go on after an event's number: not where the stream
 * carries several topics
 */
export function frames(
  deliveries: AsyncIterable<Delivery>,
  render: RenderEvent,
  isResumable = true,
): FrameSource {
  const source: AsyncIterator<Delivery> & { readonly poll?: Deliveries["poll"] } = deliveries
    [Symbol.asyncIterator]();
  const made = framesOf(render, isResumable);

  function frameOf(delivery: Delivery): EventFrame {
    if (delivery.kind === "gap") {
      const { after, oldest } = delivery;
      return { event: "holon_gap", data: JSON.stringify({ after, oldest }) };
    }
    const { event } = delivery;
    let frame = made.get(event);
    if (frame === undefined) {
      const id = isResumable ? { id: String(event.sequence) } : {};
      frame = { event: "holon_event", ...id, data: render(event) };
      made.set(event, frame);
    }
    return frame;
  }

  const iterator: FrameSource = {
    async next() {
      const { done, value } = await source.next();
      return done === true ? { done, value: undefined } : { done: false, value: frameOf(value) };
    },
    poll() {
      const delivery = source.poll?.() ?? null;
      return delivery === null ? null : frameOf(delivery);
    },
    async return() {
      await source.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  return iterator;
}

type Frames = WeakMap<StoredEvent, EventFrame>;

const resumable = new WeakMap<RenderEvent, Frames>();
const notResumable = new WeakMap<RenderEvent, Frames>();

function framesOf(render: RenderEvent, isResumable: boolean): Frames {
  const all = isResumable ? resumable : notResumable;
  const known = all.get(render) ?? new WeakMap();
  all.set(render, known);
  return known;
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
