import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { frames, renderOnce } from "../../src/events/frames.ts";
import { lastEventIdOf } from "../../src/events/last_event_id.ts";
import type { Delivery, StoredEvent } from "../../src/events/types.ts";
import { Fault } from "../../src/fault.ts";

const EVENT: StoredEvent = {
  topic: "agent:main",
  sequence: 12,
  type: "message_enqueued",
  timestamp: "2026-01-01T00:00:00.000Z",
  messageId: "msg_1",
  requestId: "r1",
  origin: "operator",
};

describe("frames()", () => {
  it("carries an event's number as its id, and gives a gap none", async () => {
    async function* deliveries(): AsyncGenerator<Delivery> {
      yield { kind: "gap", after: 1, oldest: 12 };
      yield { kind: "event", event: EVENT };
    }
    const seen = [];
    for await (const frame of frames(deliveries(), () => "data")) seen.push(frame);
    assert.deepEqual(seen, [
      { event: "holon_gap", data: '{"after":1,"oldest":12}' },
      { event: "holon_event", id: "12", data: "data" },
    ]);
  });
});

describe("renderOnce()", () => {
  it("renders an event once for all of its readers", () => {
    let count = 0;
    const render = renderOnce((event) => `${event.sequence}:${++count}`);
    assert.deepEqual([render(EVENT), render(EVENT), render({ ...EVENT })], [
      "12:1",
      "12:1",
      "12:2",
    ]);
  });
});

describe("lastEventIdOf()", () => {
  const of = (value?: string) =>
    lastEventIdOf(new Headers(value === undefined ? {} : { "last-event-id": value }));

  it("reads an unsigned integer, and gives null without the header", () => {
    assert.equal(of(), null);
    assert.equal(of("0"), 0);
    assert.equal(of("007"), 7);
    assert.equal(of("9".repeat(40)), Number.MAX_SAFE_INTEGER);
  });

  it("refuses anything else", () => {
    for (const value of ["", "-1", "1.5", "x", "0x1", "1 2", "9".repeat(65)]) {
      assert.throws(
        () => of(value),
        (error) => error instanceof Fault && error.code === "bad_request",
        value,
      );
    }
  });
});
