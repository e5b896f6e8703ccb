/**
 * Makes one event of a burst: it waits for quiet, but not forever, and takes its time where the
 * noise doesn't end.
 *
 * @module
 */

import type { Clock } from "../../host/types.ts";

/** Runs a function once, later; the function that it returns calls that off. */
export type Schedule = (ms: number, run: () => void) => () => void;

/** The pace, in ms. */
export interface BurstPace {
  /** A burst has ended when nothing came for so long. */
  readonly quiet: number;
  /** One that doesn't end is cut after this; twice as long each time, */
  readonly patience: number;
  /** up to this. */
  readonly mostPatience: number;
  /** The least time from the end of one event's work to the next event. */
  readonly rest: number;
}

/** The pace in use. */
export const BURST_PACE: BurstPace = {
  quiet: 100,
  patience: 1_000,
  mostPatience: 4_000,
  rest: 200,
};

/** An event's work may take a tenth of the time and no more. */
const REST_FACTOR = 9;

/** Bursts of one source. */
export interface Bursts {
  /** Something happened. */
  touch(): void;
  /** No further event. */
  close(): void;
}

/**
 * Calls `fire` once for each burst; its promise is waited for before the next event, which then
 * keeps a distance that grows with the time that the work took.
 */
export function createBursts(
  fire: () => Promise<void>,
  clock: Pick<Clock, "monotonic">,
  schedule: Schedule,
  pace: BurstPace = BURST_PACE,
): Bursts {
  let first: number | null = null;
  let last = 0;
  let patience = pace.patience;
  let notBefore = 0;
  let busy = false;
  let closed = false;
  let cancel: (() => void) | null = null;

  /** When the burst under way is to be told. */
  const due = (begun: number) => Math.max(Math.min(last + pace.quiet, begun + patience), notBefore);

  function look(): void {
    cancel = null;
    if (closed || busy || first === null) return;
    const now = clock.monotonic();
    const wait = due(first) - now;
    if (wait > 0) cancel = schedule(wait, look);
    else void tell(now);
  }

  async function tell(now: number): Promise<void> {
    const isQuiet = now >= last + pace.quiet;
    patience = isQuiet ? pace.patience : Math.min(patience * 2, pace.mostPatience);
    first = null;
    busy = true;
    try {
      await fire();
    } finally {
      const end = clock.monotonic();
      notBefore = end + Math.max(pace.rest, (end - now) * REST_FACTOR);
      busy = false;
      look();
    }
  }

  return {
    touch() {
      last = clock.monotonic();
      first ??= last;
      if (cancel === null) look();
    },
    close() {
      closed = true;
      cancel?.();
    },
  };
}
