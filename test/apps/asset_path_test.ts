import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { assetComponents, isWithin } from "../../src/apps/asset_path.ts";
import { Fault } from "../../src/fault.ts";

function outcome(path: string): readonly string[] | string {
  try {
    return assetComponents(path);
  } catch (error) {
    assert.ok(error instanceof Fault);
    return error.code;
  }
}

describe("assetComponents()", () => {
  const cases: [path: string, expected: readonly string[] | string][] = [
    ["a/b.txt", ["a", "b.txt"]],
    ["//a///b.txt/", ["a", "b.txt"]],
    ["./a/./b", ["a", "b"]],
    ["", []],
    ["/", []],
    ["a/../b", "forbidden"],
    ["..", "forbidden"],
    [".env", "forbidden"],
    ["a/.git/config", "forbidden"],
    ["...", "forbidden"],
    ["a\\b", "bad_request"],
    ["..\\a", "bad_request"],
    ["a\nb", "bad_request"],
    ["a\x7f", "bad_request"],
    ["%2e%2e", ["%2e%2e"]],
    ["a b/ü/名", ["a b", "ü", "名"]],
    ["u\u0308", ["u\u0308"]],
  ];
  for (const [path, expected] of cases) {
    it(`gives ${JSON.stringify(expected)} for ${JSON.stringify(path)}`, () => {
      assert.deepEqual(outcome(path), expected);
    });
  }

  it("lets no component through that could lead out or is hidden", () => {
    const piece = fc.constantFrom("a", ".", "..", "/", "\\", "%2e", "\0", " ", "~");
    fc.assert(fc.property(fc.array(piece).map((parts) => parts.join("")), (path) => {
      const components = outcome(path);
      if (typeof components === "string") return;
      for (const component of components) assert.match(component, /^[^./\\\0][^/\\\0]*$/);
    }));
  });
});

describe("isWithin()", () => {
  it("takes the folder and what is below, not its siblings", () => {
    assert.equal(isWithin("/a/app", "/a/app"), true);
    assert.equal(isWithin("/a/app", "/a/app/x"), true);
    assert.equal(isWithin("/a/app", "/a/app-private/x"), false);
    assert.equal(isWithin("/a/app", "/a"), false);
    assert.equal(isWithin("/", "/etc"), true);
  });
});
