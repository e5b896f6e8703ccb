import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { FaultCode } from "../../src/fault.ts";
import type { Route } from "../../src/http/route.ts";
import { refusedPath } from "../../src/observe/refused_path.ts";

const FILES = "/apps/:agent/:app/:path+";

function told(path: string, code: FaultCode | null = "not_found", route = FILES): string | null {
  return refusedPath({
    requestId: "a-1",
    startedMs: 0,
    client: null,
    route: { path: route } as Route,
    params: { agent: "main", app: "card", path },
    handled: true,
    code,
  });
}

describe("refusedPath()", () => {
  const cases: [path: string, expected: string][] = [
    ["js/app.js", "js/app.js"],
    [".env", ".env"],
    ["assets/index-4f3c2a1b9d8e7f60.js", "assets/index-4f3c2a1b9d8e7f60.js"],
    ["a b/ü.png", "a b/ü.png"],
    ["reset/4f3c2a1b9d8e7f604f3c2a1b", "reset/[redacted]"],
    ["in/eyJhbGciOi.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4fwpM", "in/[redacted]"],
    ["a;token=s3cret;b", "a;token=[redacted];b"],
    ["long-name-without-figures", "long-name-without-figures"],
    ["a\u202egpj.exe", "a\\u202egpj.exe"],
    ["a\u0085b", "a\\u0085b"],
  ];
  for (const [path, expected] of cases) {
    it(`tells ${JSON.stringify(path)} as ${JSON.stringify(expected)}`, () => {
      assert.equal(told(path), expected);
    });
  }

  it("tells nothing of a file that was sent, of another refusal, or of another route", () => {
    assert.equal(told("a.js", null), null);
    assert.equal(told("a.js", "auth_required"), null);
    assert.equal(told("a.js", "not_found", "/api/agents/:agent/:path+"), null);
  });

  it("is bounded and has no control characters, whatever it is given", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (path) => {
      const text = told(path) ?? "";
      assert.ok(text.length <= 256, String(text.length));
      // deno-lint-ignore no-control-regex
      assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/);
    }));
  });
});
