import fc from "fast-check";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { canonicalJson, isShallowJson, MAX_JSON_DEPTH } from "../../src/agents/canonical_json.ts";

describe("canonicalJson()", () => {
  it("gives one text for all orders of keys", () => {
    assert.equal(
      canonicalJson({ b: [1, { d: null, c: "x" }], a: true }),
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    );
    assert.equal(canonicalJson(JSON.parse('{"__proto__":1,"a":2}')), '{"__proto__":1,"a":2}');
  });

  it("keeps the value", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => {
      const plain = JSON.parse(JSON.stringify(value));
      assert.deepEqual(JSON.parse(canonicalJson(plain)), plain);
    }));
  });

  it("tells different values apart", () => {
    const texts = [null, 0, "0", "", [], {}, [[]], [null], { a: [] }, { a: {} }].map(canonicalJson);
    assert.equal(new Set(texts).size, texts.length);
  });
});

describe("isShallowJson()", () => {
  const nested = (depth: number) => {
    let value: unknown = 1;
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
    return value;
  };

  it("takes what is nested as deep as allowed, and no deeper", () => {
    assert.equal(isShallowJson(nested(MAX_JSON_DEPTH)), true);
    assert.equal(isShallowJson(nested(MAX_JSON_DEPTH + 1)), false);
    assert.equal(isShallowJson(nested(100_000)), false);
  });
});
