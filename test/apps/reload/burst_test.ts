import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type Bursts, createBursts } from "../../../src/apps/reload/burst.ts";
import { type FakeSchedule, fakeSchedule } from "../../support/fake_schedule.ts";

const PACE = { quiet: 100, patience: 1_000, mostPatience: 4_000, rest: 200 };

describe("createBursts()", () => {
  let time: FakeSchedule;
  let bursts: Bursts;
  let fired: number[];
  let cost: number;

  beforeEach(() => {
    time = fakeSchedule();
    fired = [];
    cost = 0;
    bursts = createBursts(
      () => {
        fired.push(time.clock.monotonic());
        if (cost > 0) return new Promise((resolve) => void time.schedule(cost, resolve));
        return Promise.resolve();
      },
      time.clock,
      time.schedule,
      PACE,
    );
  });

  /** Touches at each of these times. */
  async function touchAt(times: readonly number[], until: number): Promise<void> {
    for (const at of times) {
      await time.runUntil(at);
      bursts.touch();
    }
    await time.runUntil(until);
  }

  const every = (ms: number, end: number) =>
    Array.from({ length: Math.floor(end / ms) }, (_, index) => index * ms);

  it("fires once for a burst, after it has been quiet", async () => {
    await touchAt([0, 10, 50, 120, 200], 2_000);
    assert.deepEqual(fired, [300]);
  });

  it("fires again for each burst, but keeps a distance", async () => {
    await touchAt([0, 150, 1_000], 2_000);
    assert.deepEqual(fired, [100, 300, 1_100]);
  });

  it("fires ever more rarely while there is no quiet, and as at first after it", async () => {
    await touchAt(every(50, 20_000), 30_000);
    const [first, ...rest] = fired;
    assert.equal(first, 1_000);
    const gaps = rest.map((at, index) => at - fired[index]!);
    assert.deepEqual(gaps.slice(0, 4).map((gap) => Math.round(gap / 100) * 100), [
      2_000,
      4_000,
      4_000,
      4_000,
    ]);
    const settled = fired.length;
    await touchAt([30_000], 31_000);
    assert.deepEqual(fired.slice(settled), [30_100]);
    await touchAt(every(50, 2_000).map((ms) => 40_000 + ms), 43_000);
    assert.equal(fired[settled + 1], 41_000);
  });

  it("takes a tenth of the time at most when the work is long", async () => {
    cost = 300;
    await touchAt(every(90, 60_000), 60_000);
    for (const [index, at] of fired.entries()) {
      if (index > 0) assert.ok(at - fired[index - 1]! >= 3_000);
    }
    assert.ok(fired.length > 10);
  });

  it("hears what comes while the work is under way", async () => {
    cost = 50;
    await touchAt([0, 120], 5_000);
    assert.deepEqual(fired, [100, 600]);
  });

  it("fires no more once it is closed", async () => {
    await touchAt([0], 50);
    bursts.close();
    await touchAt([60], 2_000);
    assert.deepEqual(fired, []);
  });
});
