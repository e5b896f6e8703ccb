/**
 * Live reload on the wire: `holon_reload` frames, alone or between the events of an app.
 *
 * @module
 */

import type { Clock } from "../../host/types.ts";
import type { EventFrame } from "../../http/sse.ts";
import type { AppState } from "./mailbox.ts";

/**
 * Makes a frame of each state: `{app, version, changed_ms}`, and after a change also `from`, `kind`
 * and for `style` the `paths`. How long ago the newest change was is told in ms, so that clocks
 * needn't agree. No frame has an id: the position in the events doesn't move.
 */
export async function* reloadFrames(
  states: AsyncIterable<AppState>,
  clock: Pick<Clock, "now">,
): AsyncGenerator<EventFrame> {
  for await (const { app, version, changedAt, change } of states) {
    const data = {
      app,
      version,
      changed_ms: Math.max(0, clock.now() - changedAt),
      ...(change === null ? {} : { from: change.from, ...change.what }),
    };
    yield { event: "holon_reload", data: JSON.stringify(data) };
  }
}

/** Frames of two sources as they come; it ends with the first, whatever the second does. */
export async function* mergedFrames(
  main: AsyncIterable<EventFrame>,
  side: AsyncIterable<EventFrame>,
): AsyncGenerator<EventFrame> {
  const ready: Arrival[] = [];
  let wake = () => {};
  // No Promise.race(): each one would stay in the memory of the source that is silent.
  const pull = (source: AsyncIterator<EventFrame>) => {
    const arrive = (arrival: Omit<Arrival, "source">) => {
      ready.push({ source, ...arrival });
      wake();
    };
    source.next().then((result) => arrive({ result }), (failure) => arrive({ failure }));
  };
  const first = main[Symbol.asyncIterator]();
  const second = side[Symbol.asyncIterator]();
  try {
    pull(first);
    pull(second);
    for (;;) {
      const arrival = ready.shift();
      if (arrival === undefined) {
        await new Promise<void>((resolve) => wake = resolve);
        continue;
      }
      const { source, result } = arrival;
      if (result === undefined) throw arrival.failure;
      if (result.done !== true) {
        yield result.value;
        pull(source);
      } else if (source === first) return;
    }
  } finally {
    // A source that still waits ends by its signal: nobody waits for it here.
    for (const source of [first, second]) source.return?.(undefined).catch(() => {});
  }
}

// --- internal ---

interface Arrival {
  readonly source: AsyncIterator<EventFrame>;
  readonly result?: IteratorResult<EventFrame>;
  readonly failure?: unknown;
}
