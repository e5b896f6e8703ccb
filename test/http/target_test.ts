import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Fault } from "../../src/fault.ts";
import { decodePath, parseTarget, queryOf } from "../../src/http/target.ts";

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return "none";
}

describe("parseTarget()", () => {
  it("splits path and query when the target is in origin form", () => {
    const target = parseTarget("/apps/main/x?a=1&b=%20#c");
    assert.deepEqual(target.segments, ["apps", "main", "x"]);
    assert.equal(target.rawQuery, "a=1&b=%20");
    assert.equal(queryOf(target).get("b"), " ");
  });

  it("drops scheme and authority when the target is in absolute form", () => {
    assert.equal(parseTarget("http://evil/a/b?c").rawPath, "/a/b");
    assert.equal(parseTarget("HTTP://evil").rawPath, "/");
    assert.equal(parseTarget("http:///../x").rawPath, "/../x");
  });

  it("keeps '..' and backslashes when they are there, for the decoder to refuse", () => {
    assert.equal(parseTarget("/a/../b\\c").rawPath, "/a/../b\\c");
  });

  it("removes single dots when they are components", () => {
    assert.equal(parseTarget("/a/./b/%2e/c/.").rawPath, "/a/b/c/");
  });

  it("throws bad_request when there is no leading slash", () => {
    for (const bad of ["", "..", "a/b", "http:..%2fx", "#/x", "?x"]) {
      assert.equal(codeOf(() => parseTarget(bad)), "bad_request", bad);
    }
  });
});

describe("decodePath()", () => {
  it("decodes exactly once when escapes are nested", () => {
    assert.equal(decodePath("a%2520b"), "a%20b");
    assert.equal(decodePath("%252e%252e"), "%2e%2e");
  });

  it("throws forbidden when a component is '..', however it is written", () => {
    for (const bad of ["..", "a/..", "%2e%2e/x", "..%2fx", ".%2E"]) {
      assert.equal(codeOf(() => decodePath(bad)), "forbidden", bad);
    }
  });

  it("throws bad_request when there is a backslash, a control character or no UTF-8", () => {
    for (
      const bad of ["a\\b", "%5c", "%00", "%0a", "%7f", "%", "%zz", "%ff", "%c0%ae", "%ed%a0%80"]
    ) {
      assert.equal(codeOf(() => decodePath(bad)), "bad_request", bad);
    }
  });

  it("is the inverse of encodeURIComponent for every name without '..'", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), (name) => {
      // deno-lint-ignore no-control-regex
      fc.pre(!/[\u0000-\u001f\u007f\\]/.test(name) && !name.split("/").includes(".."));
      assert.equal(decodePath(encodeURIComponent(name)), name);
    }));
  });
});
