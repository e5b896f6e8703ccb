import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ReadTurns } from "../../src/host/read_turns.ts";

/** Reads that end when they are told to. */
function heldReads(count: number) {
  const turns = new ReadTurns();
  const ends: ((failure: Error | null) => void)[] = [];
  const results = Array.from(
    { length: count },
    (_, index) =>
      turns.take(() =>
        new Promise<number>((resolve, reject) => {
          ends.push((failure) => failure === null ? resolve(index) : reject(failure));
        })
      ),
  );
  return { ends, results };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("ReadTurns", () => {
  it("take() runs four reads at once and the others as these end, in order", async () => {
    const { ends, results } = heldReads(6);
    await settle();
    assert.equal(ends.length, 4);
    ends[2]!(null);
    assert.equal(await results[2], 2);
    await settle();
    assert.equal(ends.length, 5);
    for (let index = 0; index < 6; index++) {
      await settle();
      ends[index]!(null);
    }
    assert.deepEqual(await Promise.all(results), [0, 1, 2, 3, 4, 5]);
  });

  it("take() gives the turn on where a read fails", async () => {
    const { ends, results } = heldReads(5);
    await settle();
    ends[0]!(new Error("no disk"));
    await assert.rejects(results[0]!, /no disk/);
    await settle();
    assert.equal(ends.length, 5);
    ends.forEach((end) => end(null));
    assert.equal(await results[4], 4);
  });

  it("take() lets others through where reads hang", async () => {
    const { ends, results } = heldReads(9);
    while (ends.length < 9) await new Promise((resolve) => setTimeout(resolve, 5));
    ends.forEach((end) => end(null));
    assert.equal((await Promise.all(results)).length, 9);
  });
});
