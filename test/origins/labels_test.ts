import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isAppLabel, slugOf } from "../../src/origins/labels.ts";

const appId = fc.stringMatching(/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/);

describe("slugOf()", () => {
  it("keeps what a label may hold", () => {
    assert.equal(slugOf("ping-card"), "ping-card");
    assert.equal(slugOf("My_Card.v2"), "my-card-v2");
    assert.equal(slugOf("--x--y--"), "x-y");
    assert.equal(slugOf("xn--80ak6aa92e"), "xn-80ak6aa92e");
    assert.equal(slugOf("___"), "app");
    assert.equal(slugOf("a".repeat(39) + "-" + "b".repeat(40)), "a".repeat(39));
  });

  it("makes one sound label of any app id", () => {
    fc.assert(fc.property(appId, (id) => {
      const label = `${slugOf(id)}-0123abcd`;
      assert.ok(isAppLabel(label), label);
      assert.match(label, /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/);
      assert.ok(!label.includes("--"));
    }));
  });
});

describe("isAppLabel()", () => {
  it("refuses what no app has", () => {
    for (
      const label of [
        ...[
          "",
          "card",
          "card-0123abc",
          "card-0123ABCD",
          "-0123abcd",
          "a--0123abcd",
          "a.b-0123abcd",
        ],
        ...["card-0123abcg", "0123abcd", `${"a".repeat(41)}-0123abcd`, "card-0123abcd\n"],
      ]
    ) assert.ok(!isAppLabel(label), label);
  });
});
