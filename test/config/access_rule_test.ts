import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tokenProblem } from "../../src/config/access_rule.ts";
import { DEFAULT_SETTINGS } from "../../src/config/schema.ts";

function problem(change: Record<string, unknown>, hasToken: boolean): string | null {
  const local_apps = { ...DEFAULT_SETTINGS.local_apps, ...change };
  return tokenProblem(
    { settings: { ...DEFAULT_SETTINGS, local_apps }, explicit: new Set() },
    hasToken,
  );
}

describe("tokenProblem()", () => {
  it("asks for a token where apps have a domain for other machines", () => {
    assert.match(problem({ origin_domain: "apps.example.net" }, false) ?? "", /needs a token/);
    assert.equal(problem({ origin_domain: "apps.example.net" }, true), null);
    assert.equal(problem({ own_origin: ["all"] }, false), null);
  });
});
