import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { hasInfiniteNumber } from "../../src/http/json_numbers.ts";

const found = (text: string) => hasInfiniteNumber(text, JSON.parse(text));

describe("hasInfiniteNumber()", () => {
  it("finds numbers that overflow, however they are written and wherever they are", () => {
    for (
      const number of [
        "1e999",
        "-1e999",
        "1E+309",
        "1.0e0000999",
        "1.8e308",
        "9".repeat(309),
        `-${"9".repeat(309)}.5`,
        `${"9".repeat(250)}e99`,
        `${"9".repeat(250)}.25E+59`,
        `0.${"0".repeat(50)}1e400`,
      ]
    ) {
      const around = [`${number}`, `[${number}]`, `[1,${number}]`, `{"a":{"b":[\n\t${number}]}}`];
      for (const text of around) assert.equal(found(text), true, text);
    }
  });

  it("lets be what is a number, and what only looks like one that overflows", () => {
    for (
      const text of [
        "1.7976931348623157e308",
        "1e-999",
        "0e999",
        `0.${"1".repeat(400)}`,
        "9".repeat(308),
        `{"1e999":"a, 1e999"}`,
        '["1e999", " 1e999", ": 1e999"]',
        '"\\",1e999"',
        '{"a":1e999,"a":1}',
      ]
    ) {
      assert.equal(found(text), false, text);
    }
  });

  it("takes a value that is nested without end", () => {
    assert.equal(found("[".repeat(5000) + "1e999" + "]".repeat(5000)), true);
  });

  it("agrees with what is parsed, whatever the digits", () => {
    const digits = (length: number) =>
      fc.array(fc.constantFrom(..."0123456789"), { minLength: 1, maxLength: length })
        .map((them) => them.join(""));
    const whole = digits(320).map((them) => them.replace(/^0+(?=\d)/, ""));
    const number = fc.tuple(
      fc.constantFrom("", "-"),
      whole,
      fc.option(digits(320), { nil: null }),
      fc.option(fc.tuple(fc.constantFrom("e", "E", "e+", "e-"), digits(4)), { nil: null }),
    ).map(([sign, whole, rest, power]) =>
      `${sign}${whole}${rest === null ? "" : `.${rest}`}${power === null ? "" : power.join("")}`
    );
    fc.assert(fc.property(number, (text) => {
      assert.equal(found(`{"a":[0,${text}]}`), !Number.isFinite(Number(text)), text);
    }));
  });
});
