import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { acceptedCodings, CONTENT_CODINGS } from "../../src/http/accept_encoding.ts";

describe("acceptedCodings()", () => {
  const cases: readonly [value: string | null, codings: string][] = [
    [null, ""],
    ["", ""],
    ["identity", ""],
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br zstd gzip"],
    ["GZIP ,\tBr", "br gzip"],
    ["x-gzip", "gzip"],
    ["gzip;q=1.0, br;q=0.9", "gzip br"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.000, *;q=0.1", "zstd gzip"],
    ["*", "br zstd gzip"],
    ["*;q=0", ""],
    ["gzip, *;q=0", "gzip"],
    ["identity;q=0, br;q=0.001", "br"],
    ["identity;q=0", ""],
    ["identity, br;q=0.5", ""],
    ["identity;q=0.5, br;q=0.5, gzip;q=0.4", "br"],
    // The star stands for what is not named, plain bytes too.
    ["gzip;q=0.5, *", "br zstd"],
    ["gzip; q=0.5", "gzip"],
    ["gzip ; Q=0.5 , br;q=0.5", "br gzip"],
    ["gzip;q=0, gzip", ""],
    // What breaks the grammar is passed over.
    ["gzip;q=2, br;q=-1, zstd;q=0.1234", ""],
    ["gzip;q=, br;q=0.5", "br"],
    ["gzip;level=9, br", "br"],
    ["g zip, br", "br"],
    [",, ,br,", "br"],
    ["brx, xbr, compress", ""],
  ];
  for (const [value, codings] of cases) {
    it(`gives [${codings}] for ${value === null ? "no field" : JSON.stringify(value)}`, () => {
      assert.equal(acceptedCodings(value).join(" "), codings);
    });
  }

  it("follows the weights, whatever their order in the field", () => {
    const weight = fc.option(fc.integer({ min: 0, max: 1000 }), { nil: null });
    const weights = fc.record({ br: weight, zstd: weight, gzip: weight, identity: weight });
    fc.assert(fc.property(weights, fc.boolean(), (weights, backwards) => {
      const items = Object.entries(weights).flatMap(([name, value]) =>
        value === null ? [] : [`${name};q=${(value / 1000).toFixed(3)}`]
      );
      if (backwards) items.reverse();
      const accepted = acceptedCodings(items.join(","));
      const plain = weights.identity ?? 0;
      for (const coding of CONTENT_CODINGS) {
        const own = weights[coding] ?? 0;
        assert.equal(accepted.includes(coding), own > 0 && own >= plain);
      }
      for (const [index, coding] of accepted.entries()) {
        const next = accepted[index + 1];
        if (next !== undefined) assert.ok((weights[coding] ?? 0) >= (weights[next] ?? 0));
      }
    }));
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string(), (value) => void acceptedCodings(value)));
  });
});
