import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Fault } from "../../src/fault.ts";
import { jsonResponse } from "../../src/http/json.ts";
import type { Principal, Route, RouteScope } from "../../src/http/route.ts";
import { createRouter, type UnroutedContext } from "../../src/http/router.ts";
import { parseTarget } from "../../src/http/target.ts";
import { LOCAL_CLIENT } from "../support/local_client.ts";

function principal(...scopes: RouteScope[]): Principal {
  const kind = scopes.length === 0 ? "anonymous" : "token";
  return { kind, scopes: new Set<RouteScope>(["public", ...scopes]), sessionId: null };
}

function contextOf(
  method: string,
  target: string,
  who: Principal = principal("read", "app", "control"),
): UnroutedContext {
  return {
    request: new Request("http://holon/", { method }),
    info: null,
    client: LOCAL_CLIENT,
    target: parseTarget(target),
    principal: who,
    requestId: "r1",
  };
}

const echo = (name: string): Route["handler"] => ({ params }) =>
  jsonResponse({ name, params: { ...params } });

const ROUTES: readonly Route[] = [
  { method: "GET", path: "/", scope: "public", summary: "s", handler: echo("home") },
  { method: "GET", path: "/api/agents", scope: "read", summary: "s", handler: echo("agents") },
  { method: "GET", path: "/apps/:agent", scope: "read", summary: "s", handler: echo("list") },
  { method: "POST", path: "/apps/:agent", scope: "control", summary: "s", handler: echo("post") },
  {
    method: "GET",
    path: "/apps/:agent/:app/:path+",
    scope: "read",
    summary: "s",
    handler: echo("asset"),
  },
];
const dispatch = createRouter(ROUTES);

async function codeOf(context: UnroutedContext): Promise<string> {
  try {
    await dispatch(context);
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return "none";
}

describe("createRouter()", () => {
  it("decodes each parameter exactly once when a path matches", async () => {
    const response = await dispatch(contextOf("GET", "/apps/main/x/a%2520b/c%2Fd"));
    assert.deepEqual(await response.json(), {
      name: "asset",
      params: { agent: "main", app: "x", path: "a%20b/c/d" },
    });
  });

  it("answers HEAD from the GET route without a body", async () => {
    const response = await dispatch(contextOf("HEAD", "/api/agents"));
    assert.equal(response.body, null);
    assert.ok(Number(response.headers.get("content-length")) > 0);
  });

  it("answers OPTIONS with the methods of the path", async () => {
    const response = await dispatch(contextOf("OPTIONS", "/apps/main"));
    assert.equal(response.status, 204);
    assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS, POST");
  });

  it("throws method_not_allowed with Allow when the path takes other methods", async () => {
    await assert.rejects(dispatch(contextOf("DELETE", "/api/agents")), (error: unknown) => {
      assert.ok(error instanceof Fault);
      assert.equal(error.status, 405);
      assert.equal(error.headers["allow"], "GET, HEAD, OPTIONS");
      return true;
    });
  });

  it("throws not_found when no path matches", async () => {
    assert.equal(await codeOf(contextOf("GET", "/nope")), "not_found");
  });

  it("refuses traversal before it looks at routes", async () => {
    assert.equal(await codeOf(contextOf("GET", "/../../etc/passwd")), "forbidden");
    assert.equal(await codeOf(contextOf("GET", "/api/%2e%2e/agents")), "forbidden");
    assert.equal(await codeOf(contextOf("GET", "/api\\agents")), "bad_request");
  });

  it("tells nothing but auth_required to a sender without a credential", async () => {
    const anonymous = principal();
    for (const [method, path] of [["GET", "/api/agents"], ["GET", "/nope"], ["PUT", "/apps/x"]]) {
      assert.equal(await codeOf(contextOf(method ?? "", path ?? "", anonymous)), "auth_required");
    }
    assert.equal(await codeOf(contextOf("GET", "/", anonymous)), "none");
  });

  it("throws forbidden when the credential lacks the scope", async () => {
    assert.equal(await codeOf(contextOf("POST", "/apps/main", principal("read"))), "forbidden");
  });
});
