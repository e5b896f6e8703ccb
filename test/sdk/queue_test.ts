import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AppEvent, EventGap } from "../../sdk/holon.d.ts";
import { EventQueue } from "../../sdk/src/queue.ts";

function eventOf(sequence: number): AppEvent {
  const event = { sequence, type: "message_enqueued", timestamp: "", message_id: "m" };
  return { version: "1", agent_id: "main", app_id: "a", event };
}

function queueOf(gaps: EventGap[] = []) {
  const calls: string[] = [];
  const queue = new EventQueue(
    () => calls.push("start"),
    () => calls.push("end"),
    (gap) => gaps.push(gap),
  );
  return { queue, calls };
}

describe("EventQueue", () => {
  it("starts with the first next() and ends once", async () => {
    const { queue, calls } = queueOf();
    assert.deepEqual(calls, []);
    const first = queue.next();
    queue.push(eventOf(1));
    assert.equal((await first).value.event.sequence, 1);
    await queue.return();
    await queue.return();
    queue.end();
    assert.deepEqual(calls, ["start", "end"]);
  });

  it("serves calls of next() that wait at the same time in their order", async () => {
    const { queue } = queueOf();
    const waiting = [queue.next(), queue.next(), queue.next()];
    for (const sequence of [1, 2, 3]) queue.push(eventOf(sequence));
    const results = await Promise.all(waiting);
    assert.deepEqual(results.map(({ value }) => value.event.sequence), [1, 2, 3]);
  });

  it("ends a next() that waits when return() is called", async () => {
    const { queue } = queueOf();
    const waiting = queue.next();
    await queue.return();
    assert.deepEqual(await waiting, { done: true, value: undefined });
    queue.push(eventOf(1));
    assert.equal((await queue.next()).done, true);
  });

  it("gives what waits before it throws, and throws once", async () => {
    const { queue } = queueOf();
    const first = queue.next();
    queue.push(eventOf(1));
    queue.push(eventOf(2));
    queue.end({ cause: new Error("refused") });
    assert.equal((await first).value.event.sequence, 1);
    assert.equal((await queue.next()).value.event.sequence, 2);
    await assert.rejects(queue.next(), /refused/);
    assert.equal((await queue.next()).done, true);
  });

  it("tells of a gap in order with the events", async () => {
    const gaps: EventGap[] = [];
    const { queue } = queueOf(gaps);
    const first = queue.next();
    queue.push(eventOf(1));
    queue.pushGap({ after: 1, oldest: 5 });
    queue.push(eventOf(5));
    await first;
    assert.deepEqual(gaps, []);
    assert.equal((await queue.next()).value.event.sequence, 5);
    assert.deepEqual(gaps, [{ after: 1, oldest: 5 }]);
  });

  it("drops the older half when no one reads, and tells of it", async () => {
    const gaps: EventGap[] = [];
    const { queue } = queueOf(gaps);
    const first = queue.next();
    for (let sequence = 1; sequence <= 1_002; sequence++) queue.push(eventOf(sequence));
    assert.equal((await first).value.event.sequence, 1);
    const next = await queue.next();
    assert.equal(next.value.event.sequence, 502);
    assert.deepEqual(gaps, [{ after: 1, oldest: 502 }]);
  });
});
