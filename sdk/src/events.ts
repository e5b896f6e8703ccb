import type { AppEvent, EventsOptions, EventsState } from "../holon.d.ts";
import type { Transport } from "./call.ts";
import { followDirectly } from "./direct.ts";
import { onPageSleep } from "./page.ts";
import { EventQueue } from "./queue.ts";
import type { SharedStream } from "./shared_stream.ts";
import type { Sink } from "./sink.ts";

/** A request waits no longer than this for a stream that is being opened. */
const OPENING_MS = 1_000;

/**
 * The events of an app as an async iterable. Nothing is opened before the first `next()`.
 *
 * @param shared the stream that this browser's pages share; `null` where they can't
 * @param onOpening given a promise that resolves once the stream is open, or won't be soon
 */
export function eventsOf(
  transport: Transport,
  url: string,
  shared: SharedStream | null,
  options: EventsOptions,
  onOpening: (opened: Promise<void>) => void,
): EventQueue {
  const { signal, lastEventId, reconnect = true, onGap, onState } = options;
  let connection: AbortController | null = null;
  let unwatch = () => {};
  let opened = () => {};
  let state: EventsState | undefined;
  const enter = (next: EventsState) => {
    if (state === next) return;
    state = next;
    // Apart from the stream, which an app's callback that throws must not stop.
    queueMicrotask(() => onState?.(next));
  };

  const sink: Sink = {
    cursor: lastEventId === undefined ? null : String(lastEventId),
    onEvent: (data) => queue.push(data as AppEvent),
    onGap: (gap) => queue.pushGap(gap),
    onOpen: () => {
      opened();
      enter("live");
    },
    onDown: () => {
      opened();
      enter("lost");
    },
    onEnd: (error) => queue.end(error),
  };
  const open = () => {
    if (connection !== null) return;
    connection = new AbortController();
    if (shared !== null && reconnect && isPosition(sink.cursor)) {
      shared.join(sink, connection.signal);
    } else followDirectly(transport, url, reconnect, sink, connection.signal);
  };
  const close = () => {
    connection?.abort();
    connection = null;
  };
  const start = () => {
    if (signal?.aborted) return queue.end();
    signal?.addEventListener("abort", abort, { once: true });
    unwatch = onPageSleep(close, open);
    onOpening(
      new Promise((resolve) => {
        const timer = setTimeout(resolve, OPENING_MS);
        opened = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    );
    open();
  };
  const stop = () => {
    signal?.removeEventListener("abort", abort);
    unwatch();
    opened();
    close();
  };
  const abort = () => void queue.end();
  const queue = new EventQueue(start, stop, onGap);
  return queue;
}

/** Whether pages can compare this position; what else an app gives is the server's to refuse. */
function isPosition(cursor: string | null): boolean {
  return cursor === null || /^\d{1,15}$/.test(cursor);
}
