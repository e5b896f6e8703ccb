import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestContext, Route } from "../../src/http/route.ts";
import { webRoutes } from "../../src/web/routes.ts";

const routes = new Map<string, Route>(webRoutes().map((route) => [route.path, route]));

async function get(path: string): Promise<{ response: Response; text: string }> {
  const route = routes.get(path);
  assert.ok(route, `no route for ${path}`);
  const response = await route.handler({} as RequestContext);
  return { response, text: await response.clone().text() };
}

test("webRoutes() serves pages with the strict policy", async () => {
  for (const path of ["/", "/sign-in"]) {
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
  for (const path of ["/", "/sign-in"]) {
    const { text } = await get(path);
    const loads = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!);
    assert.ok(loads.length >= 3, String(loads));
    for (const load of loads) {
      const { response } = await get(load);
      assert.equal(response.headers.get("x-content-type-options"), "nosniff");
      assert.equal(response.headers.get("cross-origin-resource-policy"), "same-origin");
      if (path === "/sign-in") assert.equal(routes.get(load)!.scope, "public", load);
      else if (load.startsWith("/-/")) assert.equal(routes.get(load)!.scope, "read", load);
    }
  }
  assert.equal(routes.get("/")!.scope, "read");
  assert.equal(routes.get("/sign-in")!.scope, "public");
});

test("webRoutes() serves scripts and styles that need nothing from elsewhere", async () => {
  for (const [path, route] of routes) {
    if (!path.startsWith("/-/")) continue;
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
    assert.equal(route.method, "GET");
  }
});
