import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SendProgress } from "../../../src/host/http1/send_progress.ts";

const LIMITS = { sendTimeoutMs: 60_000, sendMinimumBytes: 64 * 1024 };

function progressAt(buffered: boolean) {
  const time = { ms: 0 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  return { time, progress: new SendProgress(clock, LIMITS, buffered) };
}

describe("SendProgress", () => {
  it("overdue() holds when nothing was taken in time", () => {
    const { time, progress } = progressAt(false);
    progress.began();
    assert.equal(progress.overdue(time.ms = 59_999), false);
    assert.equal(progress.overdue(time.ms = 60_000), true);
  });

  it("overdue() never holds without a pending write or for event streams", () => {
    const { time, progress } = progressAt(false);
    progress.began();
    progress.taken(10);
    assert.equal(progress.overdue(time.ms = 1e9), false);
    progress.timed = false;
    progress.began();
    assert.equal(progress.overdue(time.ms = 2e9), false);
  });

  it("overdue() does not hold while the minimum is taken in each period", () => {
    const { time, progress } = progressAt(false);
    progress.began();
    for (let count = 0; count < 100; count++) {
      progress.began();
      time.ms += 50_000;
      assert.equal(progress.overdue(time.ms), false);
      progress.taken(64 * 1024);
    }
  });

  it("overdue() holds when less than the minimum is taken", () => {
    const { time, progress } = progressAt(false);
    progress.began();
    for (let count = 0; count < 6; count++) {
      progress.began();
      time.ms += 10_000;
      progress.taken(1000);
    }
    assert.equal(progress.overdue(time.ms), true);
  });

  it("overdue() counts what leaves the kernel's queue, though no write ends", () => {
    const { time, progress } = progressAt(true);
    progress.began();
    let queue = 4 << 20;
    for (let count = 0; count < 60; count++) {
      time.ms += 5000;
      if (progress.wantsSample(time.ms)) progress.sample(queue -= 8 * 1024);
      assert.equal(progress.overdue(time.ms), false, `after ${time.ms} ms`);
    }
  });

  it("overdue() holds when the kernel's queue stands still", () => {
    const { time, progress } = progressAt(true);
    progress.began();
    for (time.ms = 15_000; time.ms < 60_000; time.ms += 5000) progress.sample(4 << 20);
    assert.equal(progress.overdue(60_000), true);
  });

  it("overdue() allows twice the time where the kernel's queue can't be seen", () => {
    const { progress } = progressAt(true);
    progress.began();
    assert.equal(progress.overdue(119_999), false);
    assert.equal(progress.overdue(120_000), true);
  });
});
