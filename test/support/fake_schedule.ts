/**
 * Timers on a clock that a test moves by hand.
 *
 * @module
 */

import { type FakeClock, fakeClock } from "./fake_host.ts";

/** A clock and the timers on it. Its time begins at 0. */
export interface FakeSchedule {
  readonly clock: Pick<FakeClock, "monotonic" | "now">;
  schedule(ms: number, run: () => void): () => void;
  /** Moves the clock on to a time, and runs what is due on the way, each at its own time. */
  runUntil(at: number): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** Makes a clock that stands at 0. */
export function fakeSchedule(): FakeSchedule {
  const clock = fakeClock();
  const begun = clock.monotonic();
  const monotonic = () => clock.monotonic() - begun;
  const timers = new Set<Timer>();
  return {
    clock: { monotonic, now: clock.now },
    schedule(ms, run) {
      const timer = { at: monotonic() + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    async runUntil(at) {
      for (;;) {
        await settled();
        const due = [...timers].filter((timer) => timer.at <= at).sort((a, b) => a.at - b.at)[0];
        if (due === undefined) break;
        timers.delete(due);
        clock.advance(Math.max(0, due.at - monotonic()));
        due.run();
      }
      clock.advance(Math.max(0, at - monotonic()));
    },
  };
}

/** Lets promises that are settled run on. */
async function settled(): Promise<void> {
  for (let round = 0; round < 20; round++) await Promise.resolve();
}
