/** The parts of the templates that need no page: the dashboard's bookkeeping and the game's rules. */

import assert from "node:assert/strict";
import { describe, it } from "node:test";

const { Jobs, requestIdOf } = await load("dashboard/jobs.js");
const { newWorld, speedOf, step, STEP, turn } = await load("game/world.js");

/** Browser code has no types: it is loaded as what it is. */
// deno-lint-ignore no-explicit-any
async function load(path: string): Promise<any> {
  return await import(new URL(`../../sdk/examples/${path}`, import.meta.url).href);
}

const T = Date.UTC(2026, 0, 1);

function event(sequence: number, type: string, id: string, seconds: number) {
  return {
    sequence,
    type: `message_${type}`,
    timestamp: new Date(T + seconds * 1000).toISOString(),
    message_id: id,
    request_id: `check~${id}`,
  };
}

/** What the lists and counters show. */
// deno-lint-ignore no-explicit-any
function shown(jobs: any) {
  const { waiting, working, done, failed } = jobs.counts();
  return [waiting, working, done, failed];
}

describe("Jobs of the dashboard", () => {
  it("follow requests from the queue to their end", () => {
    const jobs = new Jobs(null);
    for (const id of ["a", "b", "c"]) jobs.apply(event(1, "enqueued", id, 0));
    jobs.apply(event(4, "processing_started", "a", 2));
    assert.deepEqual(shown(jobs), [2, 1, 0, 0]);
    jobs.apply(event(5, "requeued", "a", 3));
    assert.deepEqual(shown(jobs), [3, 0, 0, 0]);
    jobs.apply(event(6, "succeeded", "a", 5));
    jobs.apply(event(7, "failed", "b", 6));
    jobs.apply(event(8, "cancelled", "c", 7));
    jobs.apply(event(9, "of_tomorrow", "c", 8));
    assert.deepEqual(shown(jobs), [0, 0, 1, 1]);
    assert.equal(jobs.last, 9);
    const [c, , a] = jobs.latest(10);
    assert.deepEqual([c.state, a.name, a.askedAt, a.endedAt], ["cancelled", "check", T, T + 5000]);
  });

  it("are the same after they were saved, and empty for what is no save", () => {
    const jobs = new Jobs(null);
    jobs.apply(event(3, "enqueued", "a", 0));
    const again = new Jobs(JSON.parse(JSON.stringify(jobs)));
    assert.deepEqual(again.toJSON(), jobs.toJSON());
    for (const saved of [null, undefined, 7, "x", {}, { last: "1", jobs: [] }, { last: 1 }]) {
      assert.deepEqual(new Jobs(saved).toJSON(), { last: 0, jobs: [] });
    }
  });

  it("that were under way are not known after a gap, and gone where numbers began anew", () => {
    const jobs = new Jobs(null);
    jobs.apply(event(1, "succeeded", "a", 0));
    jobs.apply(event(2, "enqueued", "b", 0));
    assert.equal(jobs.lose({ after: 2, oldest: 40 }), 1);
    assert.deepEqual(jobs.latest(2).map(({ state }: { state: string }) => state), [
      "unknown",
      "done",
    ]);
    assert.equal(jobs.last, 39);
    jobs.apply(event(40, "succeeded", "b", 9));
    assert.deepEqual(shown(jobs), [0, 0, 2, 0]);
    assert.equal(jobs.lose({ after: 40, oldest: 3 }), 0);
    assert.deepEqual(jobs.toJSON(), { last: 2, jobs: [] });
  });

  it("are counted in the minute in which they ended, and the oldest are forgotten", () => {
    const jobs = new Jobs(null);
    jobs.apply(event(1, "succeeded", "a", -61));
    jobs.apply(event(2, "failed", "b", 59));
    jobs.apply(event(3, "succeeded", "c", 1));
    jobs.apply(event(4, "enqueued", "d", 1));
    assert.deepEqual(jobs.minutes(3, T + 60_000), [
      { done: 0, failed: 0 },
      { done: 1, failed: 1 },
      { done: 0, failed: 0 },
    ]);
    for (let n = 0; n < 500; n++) jobs.apply(event(5 + n, "enqueued", `n${n}`, 2));
    assert.equal(jobs.toJSON().jobs.length, 200);
    assert.equal(jobs.latest(1)[0].id, "n499");
    assert.match(requestIdOf("check"), /^check~.{8,}$/);
  });
});

describe("the game's world", () => {
  /** Numbers that are the same each time (a linear congruential generator). */
  function random(seed: number): () => number {
    return () => (seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  }

  it("ends for one who never turns, with some stars caught, and then stands still", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const world = newWorld(random(seed));
      const happened = { caught: 0, hit: 0, over: 0 };
      let steps = 0;
      for (; !world.over && steps < 600 / STEP; steps++) {
        const what = step(world) as keyof typeof happened | null;
        if (what !== null) happened[what]++;
      }
      assert.ok(world.over, `still flying after ${steps * STEP} s`);
      assert.ok(steps * STEP > 5, `over after ${steps * STEP} s`);
      assert.ok(happened.caught > 0 && world.score >= happened.caught);
      assert.deepEqual([happened.hit, happened.over, world.shields], [2, 1, 0]);
      const angle = world.ship.angle;
      assert.equal(step(world), null);
      assert.equal(world.ship.angle, angle);
    }
  });

  it("lasts longer for one who turns away from rocks", () => {
    let idle = 0;
    let dodging = 0;
    for (let seed = 1; seed <= 10; seed++) {
      idle += lifetime(seed, false);
      dodging += lifetime(seed, true);
    }
    assert.ok(dodging > 1.5 * idle, `${dodging} s and ${idle} s`);

    function lifetime(seed: number, dodges: boolean): number {
      const world = newWorld(random(seed));
      let seconds = 0;
      while (!world.over && seconds < 300) {
        const { ship } = world;
        const ahead = world.rocks.some((rock: { angle: number; radius: number }) => {
          const turns = ship.direction * (rock.angle - ship.angle) / (2 * Math.PI);
          const angle = (turns - Math.floor(turns)) * 2 * Math.PI;
          return Math.abs(rock.radius - 1) < 0.35 && angle < 0.55;
        });
        if (dodges && ahead) turn(world);
        step(world);
        seconds += STEP;
      }
      return seconds;
    }
  });

  it("turns the ship around, and makes it faster with each point, up to a bound", () => {
    const world = newWorld(random(1));
    const before = world.ship.angle;
    step(world);
    turn(world);
    step(world);
    assert.ok(Math.abs(world.ship.angle - before) < 1e-9);
    assert.ok(speedOf({ score: 10 }) > speedOf({ score: 0 }));
    assert.equal(speedOf({ score: 1e6 }), speedOf({ score: 1e7 }));
  });
});
