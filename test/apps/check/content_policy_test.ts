import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  blockingDirective,
  forbiddingDirective,
  parsePolicies,
  type PolicySource,
} from "../../../src/apps/check/content_policy.ts";
import type { Hint, ReferenceUse } from "../../../src/apps/check/reference.ts";
import { STRICT_CSP } from "../../../src/config/settings.ts";

const external = (url: string): PolicySource => ({ kind: "external", url: new URL(url) });
const scheme = (scheme: string): PolicySource => ({ kind: "scheme", scheme });
const SELF: PolicySource = { kind: "self" };

describe("blockingDirective()", () => {
  const strict: readonly [ReferenceUse, PolicySource, string | null][] = [
    ["script", SELF, null],
    ["script", external("https://a.example/x.js"), "script-src"],
    ["import", external("https://a.example/x.js"), "script-src"],
    ["style", external("https://a.example/x.css"), "style-src"],
    ["image", scheme("data:"), null],
    ["image", external("https://a.example/x.png"), "img-src"],
    ["font", scheme("data:"), null],
    ["media", SELF, null],
    ["media", scheme("data:"), "default-src"],
    ["connect", external("wss://a.example/"), "connect-src"],
    ["worker", SELF, null],
    ["worker", scheme("blob:"), "script-src"],
    ["frame", SELF, "frame-src"],
    ["object", SELF, "object-src"],
    ["form", SELF, null],
    ["form", external("https://a.example/"), "form-action"],
    ["base", external("https://a.example/"), "base-uri"],
    ["navigation", external("https://a.example/"), null],
    ["manifest", SELF, null],
  ];
  for (const [use, source, expected] of strict) {
    const what = source.kind === "external" ? source.url.href : JSON.stringify(source);
    it(`gives ${expected} for ${use} of ${what} under the strict policy`, () => {
      assert.equal(blockingDirective(parsePolicies(STRICT_CSP), use, source), expected);
    });
  }

  const sources: readonly [expression: string, url: string, allowed: boolean][] = [
    ["*", "https://a.example/", true],
    ["https:", "https://a.example/", true],
    ["http:", "https://a.example/", true],
    ["https:", "http://a.example/", false],
    ["a.example", "https://a.example/x", true],
    ["A.Example", "https://a.example/x", true],
    ["*.example", "https://a.example/", true],
    ["*.a.example", "https://a.example/", false],
    ["http://a.example", "https://a.example/", true],
    ["https://a.example:8080", "https://a.example:8080/", true],
    ["https://a.example", "https://a.example:8080/", false],
    ["https://a.example:*", "https://a.example:8080/", true],
    ["https://a.example:443", "https://a.example/", true],
    ["https://a.example/x/", "https://a.example/x/y", true],
    ["https://a.example/x", "https://a.example/x/y", false],
    ["'none'", "https://a.example/", false],
    ["'self'", "https://a.example/", false],
    ["", "https://a.example/", false],
  ];
  for (const [expression, url, allowed] of sources) {
    it(`${allowed ? "allows" : "blocks"} ${url} by "${expression}"`, () => {
      const policies = parsePolicies(`img-src ${expression}`);
      assert.equal(blockingDirective(policies, "image", external(url)) === null, allowed);
    });
  }

  it("heeds every policy, and the first directive of a name", () => {
    const policies = parsePolicies("img-src *; img-src 'none', default-src 'self'");
    const source = external("https://a.example/");
    assert.equal(blockingDirective(policies, "image", source), "default-src");
    assert.equal(blockingDirective(policies.slice(0, 1), "image", source), null);
  });

  it("doubts where a nonce may allow it", () => {
    const policies = parsePolicies("script-src 'nonce-x'");
    assert.equal(blockingDirective(policies, "script", external("https://a.example/")), null);
  });
});

describe("forbiddingDirective()", () => {
  const cases: readonly [policy: string, kind: Hint["kind"], expected: string | null][] = [
    [STRICT_CSP, "inline_script", null],
    [STRICT_CSP, "inline_style", null],
    [STRICT_CSP, "eval", "script-src"],
    [STRICT_CSP, "wasm", "script-src"],
    ["script-src 'self' 'wasm-unsafe-eval'", "wasm", null],
    ["script-src 'unsafe-eval'", "eval", null],
    ["default-src 'self'", "inline_script", "default-src"],
    ["default-src 'self'; style-src 'sha256-x'", "inline_style", null],
    ["img-src 'none'", "eval", null],
  ];
  for (const [policy, kind, expected] of cases) {
    it(`gives ${expected} for ${kind} under "${policy.slice(0, 40)}"`, () => {
      assert.equal(forbiddingDirective(parsePolicies(policy), kind), expected);
    });
  }
});
