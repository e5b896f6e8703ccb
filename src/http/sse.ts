/**
 * Server-sent events (WHATWG HTML §9.2): frames to bytes, a heartbeat, and an end on disconnect.
 *
 * @module
 */

/** One event of a stream. */
export interface EventFrame {
  readonly event: string;
  /** Becomes the client's `Last-Event-ID`; left out where the position doesn't move. */
  readonly id?: string;
  /** One line; JSON never holds a line break. */
  readonly data: string;
}

/** How to stream. */
export interface EventStreamOptions {
  /** Pause between heartbeats, in ms. */
  readonly heartbeatMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const HEARTBEAT = new TextEncoder().encode(": heartbeat\n\n");
const encoder = new TextEncoder();

/**
 * Streams frames as they come. `open` gets a signal that aborts when the client is gone; the
 * response ends when the frames do. A frame is taken from `frames` only once the one before was
 * handed to the connection, so that a slow reader is seen by whoever makes the frames.
 */
export function eventStreamResponse(
  open: (signal: AbortSignal) => AsyncIterable<EventFrame>,
  options: EventStreamOptions = {},
): Response {
  const gone = new AbortController();
  const frames = open(gone.signal)[Symbol.asyncIterator]();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  const stop = () => {
    clearInterval(heartbeat);
    gone.abort();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      heartbeat = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(HEARTBEAT);
      }, options.heartbeatMs ?? 15_000);
    },
    async pull(controller) {
      try {
        const next = await frames.next();
        if (gone.signal.aborted) return;
        if (next.done === true) {
          stop();
          controller.close();
        } else {
          controller.enqueue(encodeFrame(next.value));
        }
      } catch (error) {
        stop();
        controller.error(error);
      }
    },
    async cancel() {
      stop();
      await frames.return?.();
    },
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      ...options.headers,
    },
  });
}

/** The bytes of one frame. */
export function encodeFrame(frame: EventFrame): Uint8Array {
  const id = frame.id === undefined ? "" : `id: ${frame.id}\n`;
  return encoder.encode(`${id}event: ${frame.event}\ndata: ${frame.data}\n\n`);
}
