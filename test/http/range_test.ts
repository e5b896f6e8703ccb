import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { decideRange } from "../../src/http/range.ts";

const HUGE = "9".repeat(400);

describe("decideRange()", () => {
  const cases: [value: string, size: number, expected: string][] = [
    ["bytes=0-3", 10, "0-4"],
    ["BYTES=0-3", 10, "0-4"],
    ["bytes=007-0008", 10, "7-9"],
    ["bytes=9-", 10, "9-10"],
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=-3", 10, "7-10"],
    ["bytes=-11", 10, "0-10"],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=-000", 10, "unsatisfiable"],
    ["bytes=0-0", 0, "unsatisfiable"],
    ["bytes=-5", 0, "unsatisfiable"],
    [`bytes=${HUGE}-`, 10, "unsatisfiable"],
    [`bytes=${HUGE}0-${HUGE}`, 10, "whole"],
    [`bytes=3-${HUGE}`, 10, "3-10"],
    [`bytes=-${HUGE}`, 10, "0-10"],
    [`bytes=${"0".repeat(400)}1-1`, 10, "1-2"],
    ["bytes=5-3", 10, "whole"],
    ["bytes=50-30", 10, "whole"],
    ["bytes=0-3,", 10, "whole"],
    ["bytes= 0-3", 10, "whole"],
    ["bytes=0-3 ", 10, "whole"],
    ["bytes=50-,60-", 10, "unsatisfiable"],
    ["bytes=50-, -0", 10, "unsatisfiable"],
    ["bytes=50-,x", 10, "whole"],
    ["bytes=50-,bytes=60-", 10, "whole"],
    ["bytes=50-,5-", 10, "whole"],
    ["bytes=٣-٤", 10, "whole"],
    ["bytes=0-3\n", 10, "whole"],
  ];
  for (const [value, size, expected] of cases) {
    it(`gives ${expected} for ${value.slice(0, 40)} of ${size} bytes`, () => {
      const decision = decideRange(value, size);
      const actual = decision.kind === "part" ? `${decision.start}-${decision.end}` : decision.kind;
      assert.equal(actual, expected);
    });
  }

  it("gives the whole file when there is no range", () => {
    assert.equal(decideRange(null, 10).kind, "whole");
  });

  it("agrees with exact arithmetic when numbers are of any size", () => {
    const digits = fc.oneof(
      fc.bigInt({ min: 0n, max: 40n }),
      fc.bigInt({ min: 0n, max: 10n ** 30n }),
    );
    fc.assert(fc.property(digits, fc.option(digits), fc.nat(40), (first, last, size) => {
      const decision = decideRange(`bytes=${first}-${last ?? ""}`, size);
      if (last !== null && last < first) return assert.equal(decision.kind, "whole");
      if (first >= BigInt(size)) return assert.equal(decision.kind, "unsatisfiable");
      assert.equal(decision.kind, "part");
      if (decision.kind !== "part") return;
      const end = last === null || last >= BigInt(size) ? BigInt(size) : last + 1n;
      assert.deepEqual([BigInt(decision.start), BigInt(decision.end)], [first, end]);
    }));
  });

  it("stays within the file whatever the value is", () => {
    const piece = fc.constantFrom("bytes=", "-", ",", " ", "0", "7", "99", "x", "=", "\t", "+");
    const value = fc.array(piece, { maxLength: 8 }).map((parts) => "bytes=" + parts.join(""));
    fc.assert(fc.property(value, fc.nat(20), (text, size) => {
      const decision = decideRange(text, size);
      if (decision.kind !== "part") return;
      assert.ok(0 <= decision.start && decision.start < decision.end && decision.end <= size);
    }));
  });
});
