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

/** Frames, read one by one by a single reader. */
export interface FrameSource extends AsyncIterableIterator<EventFrame, undefined> {
  /** The next one if it is there already; else `null`. Not while `next()` is pending. */
  poll?(): EventFrame | null;
}

/** How to stream. */
export interface EventStreamOptions {
  /** Pause between heartbeats, in ms. */
  readonly heartbeatMs?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A stream under way, as others than its reader see it. */
interface OpenStream {
  /** Ends it from outside. */
  readonly endWith: (whenEnded: WhenEnded) => void;
  /** Aborts when it is over. */
  readonly over: AbortSignal;
}

/** The streams by their responses: a side channel. */
const OPEN = new WeakMap<Response, OpenStream>();

/** Calls back when something has ended; gives what stops waiting. */
type WhenEnded = (callback: () => void) => () => void;

const encoder = new TextEncoder();
const HEARTBEAT = encoder.encode(": heartbeat\n\n");
/** Some proxies hold a head back until a body begins: without it the client waits for an event. */
const OPENED = encoder.encode(": open\n\n");

/**
 * Streams frames as they come. `open` gets a signal that aborts when the client is gone; the
 * response ends when the frames do. Frames are taken from `frames` only once those before were handed
 * to the connection, so that a slow reader is seen by whoever makes the frames; those that are there
 * already then share a write. A stream that has nothing to say at once begins with a comment.
 */
export function eventStreamResponse(
  open: (signal: AbortSignal) => AsyncIterable<EventFrame> | FrameSource,
  options: EventStreamOptions = {},
): Response {
  const gone = new AbortController();
  const frames: Frames = open(gone.signal)[Symbol.asyncIterator]();
  let heartbeat: ReturnType<typeof setInterval> | undefined;
  let opening: ReturnType<typeof setTimeout> | undefined;
  let stopWaiting = () => {};
  let close = () => {};
  const stop = () => {
    clearInterval(heartbeat);
    clearTimeout(opening);
    stopWaiting();
    gone.abort();
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      close = () => controller.close();
      opening = setTimeout(() => {
        opening = undefined;
        controller.enqueue(OPENED);
      });
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
          if (opening !== undefined) {
            clearTimeout(opening);
            opening = undefined;
          }
          controller.enqueue(encodeReady(next.value, frames));
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
  const response = new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-cache, no-store",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      ...options.headers,
    },
  });
  const endWith = (whenEnded: WhenEnded) => {
    const end = () => {
      if (gone.signal.aborted) return;
      stop();
      close();
    };
    const release = whenEnded(end);
    if (gone.signal.aborted) release();
    else stopWaiting = release;
  };
  OPEN.set(response, { endWith, over: gone.signal });
  return response;
}

/** Aborts when the event stream of a response is over; `undefined` for other responses. */
export function endOfStream(response: Response): AbortSignal | undefined {
  return OPEN.get(response)?.over;
}

/**
 * Ends an event stream together with the credential that opened it; other responses are let be.
 *
 * @param sender without `whenEnded`, its credential ends with the server only
 */
export function endStreamWith(
  response: Response,
  sender: { readonly whenEnded?: WhenEnded },
): void {
  if (sender.whenEnded !== undefined) OPEN.get(response)?.endWith(sender.whenEnded);
}

type Frames = AsyncIterator<EventFrame> & Pick<FrameSource, "poll">;

/** What is sent at once stops growing at this size. */
const BATCH_BYTES = 64 * 1024;

/** The bytes of a frame, and of those that are there already behind it. */
function encodeReady(first: EventFrame, frames: Frames): Uint8Array {
  const bytes = encodeFrame(first);
  let next = frames.poll?.() ?? null;
  if (next === null) return bytes;
  const parts = [bytes];
  let size = bytes.byteLength;
  while (next !== null) {
    const more = encodeFrame(next);
    parts.push(more);
    size += more.byteLength;
    next = size < BATCH_BYTES ? frames.poll?.() ?? null : null;
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

const encoded = new WeakMap<EventFrame, Uint8Array>();

/** The bytes of one frame, made once however many streams carry it: they must not be changed. */
function encodeFrame(frame: EventFrame): Uint8Array {
  let bytes = encoded.get(frame);
  if (bytes === undefined) encoded.set(frame, bytes = encode(frame));
  return bytes;
}

function encode(frame: EventFrame): Uint8Array {
  const id = frame.id === undefined ? "" : `id: ${frame.id}\n`;
  return encoder.encode(`${id}event: ${frame.event}\ndata: ${frame.data}\n\n`);
}
