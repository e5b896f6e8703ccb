import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Fault } from "../../src/fault.ts";
import { traceContextOf } from "../../src/http/trace_context.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const SOUND = `00-${TRACE}-${PARENT}-01`;

function traceOf(traceparent: string, tracestate?: string) {
  return traceContextOf(
    new Headers({ traceparent, ...(tracestate === undefined ? {} : { tracestate }) }),
  );
}

function assertMalformed(traceparent: string, tracestate?: string) {
  assert.throws(
    () => traceOf(traceparent, tracestate),
    (error) => error instanceof Fault && error.code === "bad_request",
    `${traceparent} ${tracestate}`,
  );
}

describe("traceContextOf()", () => {
  it("gives null where no trace is named, whatever tracestate says", () => {
    assert.equal(traceContextOf(new Headers()), null);
    assert.equal(traceContextOf(new Headers({ tracestate: "= , =" })), null);
  });

  it("passes a sound traceparent on as it is", () => {
    for (const flags of ["00", "01", "ff"]) {
      const traceparent = `00-${TRACE}-${PARENT}-${flags}`;
      assert.deepEqual(traceOf(traceparent), { traceparent, tracestate: null });
    }
  });

  it("passes on what is known of a later version", () => {
    assert.equal(traceOf(`cc-${TRACE}-${PARENT}-03`)?.traceparent, SOUND);
    assert.equal(traceOf(`01-${TRACE}-${PARENT}-02-more`)?.traceparent, SOUND.slice(0, -1) + "0");
  });

  it("refuses a malformed traceparent", () => {
    for (
      const traceparent of [
        ...["", "00", TRACE, SOUND.toUpperCase(), `${SOUND}-more`, `${SOUND}, ${SOUND}`],
        ...[`ff-${TRACE}-${PARENT}-01`, `01-${TRACE}-${PARENT}-01.more`, `00-${TRACE}-${PARENT}-1`],
        ...[`00-${"0".repeat(32)}-${PARENT}-01`, `00-${TRACE}-${"0".repeat(16)}-01`],
        ...[`00-${TRACE.slice(1)}-${PARENT}-01`, `00-${TRACE}-${PARENT}`],
      ]
    ) assertMalformed(traceparent);
  });

  it("passes a sound tracestate on without its blanks", () => {
    assert.equal(traceOf(SOUND, "a=1 , ,\tb@c=x y!,")?.tracestate, "a=1,b@c=x y!");
    assert.equal(traceOf(SOUND, " , ")?.tracestate, null);
  });

  it("refuses a malformed tracestate", () => {
    for (const state of ["a", "=1", "a=", "A=1", "a=1,a=2", "a=b=c", "a@b@c=1", "a b=1", "ä=1"]) {
      assertMalformed(SOUND, state);
    }
    assertMalformed(SOUND, Array.from({ length: 33 }, (_, index) => `k${index}=1`).join(","));
  });

  it("leaves out long members first, then those at the end", () => {
    const long = `long=${"x".repeat(150)}`;
    const short = Array.from({ length: 10 }, (_, index) => `k${index}=${"y".repeat(57)}`);
    const kept = traceOf(SOUND, [long, ...short].join(","))?.tracestate ?? "";
    assert.ok(kept.length <= 512);
    assert.deepEqual(kept.split(","), short.slice(0, kept.split(",").length));
    assert.ok(kept.length > 440, String(kept.length));
    assert.ok(traceOf(SOUND, [long, ...short.slice(0, 2)].join(","))?.tracestate?.includes(long));
  });

  it("throws nothing but a Fault, and what it passes on it takes again", () => {
    const text = fc.string({ unit: fc.constantFrom(..."0aF-=,@ \t!"), maxLength: 80 });
    fc.assert(fc.property(fc.oneof(fc.constant(SOUND), text), text, (traceparent, state) => {
      try {
        const trace = traceOf(traceparent.trim(), state.trim());
        assert.ok(trace !== null);
        assert.deepEqual(traceOf(trace.traceparent, trace.tracestate ?? ""), trace);
      } catch (error) {
        assert.ok(error instanceof Fault, String(error));
      }
    }));
  });
});
