import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../src/fault.ts";
import type { Principal, RequestContext, Route } from "../../src/http/route.ts";
import { ASSETS } from "../../src/web/built.ts";
import { webRoutes } from "../../src/web/routes.ts";

const routes = new Map<string, Route>(webRoutes().map((route) => [route.path, route]));

const READER: Principal = { kind: "token", scopes: new Set(["public", "read"]), sessionId: null };
const ANYBODY: Principal = { kind: "anonymous", scopes: new Set(["public"]), sessionId: null };

async function get(
  path: string,
  principal = READER,
): Promise<{ response: Response; text: string }> {
  const asset = /^\/-\/(.+)$/.exec(path)?.[1];
  const route = routes.get(asset === undefined ? path : "/-/:asset");
  assert.ok(route, `no route for ${path}`);
  const params: Record<string, string> = asset === undefined ? {} : { asset };
  const response = await route.handler({ params, principal } as unknown as RequestContext);
  return { response, text: await response.clone().text() };
}

/** What sends a path to those who are not signed in: a status, or the code of a refusal. */
async function openTo(path: string): Promise<number | string> {
  try {
    return (await get(path, ANYBODY)).response.status;
  } catch (error) {
    return error instanceof Fault ? error.code : "failed";
  }
}

test("webRoutes() serves pages with the strict policy", async () => {
  for (const path of ["/", "/sign-in", "/api/docs"]) {
    const { response, text } = await get(path);
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(
      response.headers.get("content-security-policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    assert.equal(
      response.headers.get("content-length"),
      String(new TextEncoder().encode(text).length),
    );
    assert.doesNotMatch(text, /<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)|https?:/);
  }
});

test("webRoutes() serves all that its pages load, and asks for sign-in where the page does", async () => {
  for (const path of ["/", "/sign-in", "/api/docs"]) {
    const { text } = await get(path);
    const links = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!);
    const loads = links.filter((link) => !link.startsWith("/api/"));
    assert.ok(loads.length >= 3, String(loads));
    for (const load of loads) {
      const { response } = await get(load);
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      assert.equal(response.headers.get("cross-origin-resource-policy"), "same-origin");
      const isPublic = path === "/sign-in" || !load.startsWith("/-/");
      assert.equal(await openTo(load), isPublic ? 200 : "auth_required", load);
    }
  }
  assert.equal(routes.get("/")!.scope, "read");
  assert.equal(routes.get("/sign-in")!.scope, "public");
});

test("webRoutes() tells nobody but readers which parts there are not", async () => {
  assert.equal(await openTo("/-/none.js"), "auth_required");
  await assert.rejects(get("/-/none.js"), { code: "not_found" });
});

test("webRoutes() serves scripts and styles that need nothing from elsewhere", async () => {
  for (const { path } of ASSETS) {
    const { response, text } = await get(path);
    const type = path.endsWith(".js")
      ? "text/javascript; charset=utf-8"
      : "text/css; charset=utf-8";
    assert.equal(response.headers.get("content-type"), type);
    assert.match(response.headers.get("cache-control")!, /immutable/);
    // Names of XML namespaces are no addresses.
    assert.doesNotMatch(
      text.replaceAll(/http:\/\/www\.w3\.org\/[\w/]+/g, ""),
      /https?:\/\/|@import|url\(/,
    );
    assert.doesNotMatch(text, /\beval\(|new Function\(/);
  }
});
