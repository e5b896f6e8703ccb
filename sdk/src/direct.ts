import type { Transport } from "./call.ts";
import { follow } from "./follow.ts";
import type { Sink } from "./sink.ts";

/** Follows a stream for one reader by a connection of its own, until the signal aborts. */
export function followDirectly(
  transport: Transport,
  url: string,
  reconnect: boolean,
  sink: Sink,
  signal: AbortSignal,
): void {
  follow({
    transport,
    url,
    after: sink.cursor,
    reconnect,
    signal,
    onOpen: (newest) => {
      sink.cursor ??= newest;
      sink.onOpen?.();
    },
    onEvent: (id, data) => {
      sink.cursor = id ?? sink.cursor;
      sink.onEvent(data);
    },
    onGap: (gap) => {
      sink.cursor = String(Math.max(0, gap.oldest - 1));
      sink.onGap?.(gap);
    },
    onDown: () => sink.onDown?.(),
  }).then(
    () => signal.aborted || sink.onEnd(),
    (cause: unknown) => sink.onEnd({ cause }),
  );
}
