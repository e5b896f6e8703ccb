import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { routePattern } from "../../src/http/route_pattern.ts";

/** The parameters, or `null`. */
function match(pattern: string, path: string): Record<string, string> | null {
  return routePattern(pattern)(path);
}

describe("routePattern()", () => {
  it("takes raw values out of a path that matches", () => {
    assert.deepEqual(match("/", "/"), {});
    assert.deepEqual(match("/api/agents", "/api/agents"), {});
    assert.deepEqual(match("/apps/:agent/:app", "/apps/main/x%2Fy"), {
      agent: "main",
      app: "x%2Fy",
    });
  });

  it("gives the last parameter all that follows", () => {
    const pattern = "/apps/:agent/:path+";
    assert.deepEqual(match(pattern, "/apps/a/b"), { agent: "a", path: "b" });
    assert.deepEqual(match(pattern, "/apps/a/b//c/"), { agent: "a", path: "b//c/" });
    assert.deepEqual(match(pattern, "/apps/a//"), { agent: "a", path: "/" });
    assert.equal(match(pattern, "/apps/a/"), null);
    assert.equal(match(pattern, "/apps/a"), null);
  });

  it("passes over slashes at the end only", () => {
    assert.deepEqual(match("/", "///"), {});
    assert.deepEqual(match("/api/agents", "/api/agents//"), {});
    assert.equal(match("/api/agents", "//api/agents"), null);
    assert.equal(match("/api/agents", "/api//agents"), null);
  });

  it("matches no other path", () => {
    assert.equal(match("/api/agents", "/api"), null);
    assert.equal(match("/api/agents", "/api/agents/x"), null);
    assert.equal(match("/api/agents", "/api/Agents"), null);
    assert.equal(match("/api/agents", "/api/%61gents"), null);
    assert.equal(match("/apps/:agent", "/apps/"), null);
    assert.equal(match("/apps/:agent/:app", "/apps//x"), null);
  });
});
