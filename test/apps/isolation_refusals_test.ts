/** Cross-origin isolation on the answers that no handler of an app makes, in a whole Holon. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { rawRequest, type RawResponse } from "../support/raw_http.ts";

const ISOLATED = ["require-corp", "same-origin", "same-origin"];
const TOKEN = "a token that is long enough";

function headersOf(response: RawResponse): readonly (string | null)[] {
  return ["embedder-policy", "opener-policy", "resource-policy"].map((name) =>
    response.header(`cross-origin-${name}`)
  );
}

async function openHolon(token?: string): Promise<ListeningHolon> {
  const holon = await listeningHolon(token === undefined ? {} : { token });
  for (const id of ["iso", "plain"]) {
    const manifest = { id, name: id, version: "1", entry: "index.html", isolation: id === "iso" };
    holon.write({ [`${id}/manifest.json`]: JSON.stringify(manifest), [`${id}/index.html`]: "<p>" });
  }
  return holon;
}

function send(holon: ListeningHolon, line: string, ...headers: string[]): Promise<RawResponse> {
  const fields = headers.some((header) => /^host:/i.test(header))
    ? headers
    : ["Host: localhost", ...headers];
  return rawRequest({ port: holon.port }, [`${line} HTTP/1.1`, ...fields, "", ""].join("\r\n"));
}

describe("isolation of refusals", () => {
  let open: ListeningHolon;
  let guarded: ListeningHolon;
  before(async () => {
    open = await openHolon();
    guarded = await openHolon(TOKEN);
  });
  after(() => Promise.all([open.close(), guarded.close()]));

  const calls: [what: string, method: string, path: string, status: number][] = [
    ["a wrong method", "POST", "/", 405],
    ["a wrong method for a file", "DELETE", "/index.html", 405],
    ["a wrong method for the SDK", "PUT", "/holon.js", 405],
    ["the methods there are", "OPTIONS", "/index.html", 204],
    ["two dots", "GET", "/../plain/index.html", 403],
    ["two dots in escapes", "GET", "/%2e%2e/plain/index.html", 403],
    ["an escape that is none", "GET", "/%zz", 400],
    ["a file that is missing", "GET", "/none.js", 404],
    ["an escaped name of the app's", "POST", "/%69ndex.html", 405],
  ];
  for (const [what, method, path, status] of calls) {
    it(`has the headers where the app asks for them: ${what}`, async () => {
      const isolated = await send(open, `${method} /apps/main/iso${path}`);
      assert.equal(isolated.status, status);
      assert.deepEqual(headersOf(isolated), ISOLATED);
      const plain = await send(open, `${method} /apps/main/plain${path}`);
      assert.equal(plain.status, status);
      assert.deepEqual(headersOf(plain), [null, null, "same-origin"]);
    });
  }

  it("has them for whoever has no token, whatever the app, so that nothing is told of it", async () => {
    const seen = [];
    for (const app of ["iso", "plain", "none"]) {
      const refused = await send(guarded, `GET /apps/main/${app}/index.html`);
      assert.equal(refused.status, 401);
      assert.deepEqual(headersOf(refused), ISOLATED);
      const methods = await send(guarded, `OPTIONS /apps/main/${app}/`);
      seen.push([methods.status, ...headersOf(methods)]);
    }
    assert.deepEqual(new Set(seen.map(String)).size, 1);
    const known = await send(
      guarded,
      "POST /apps/main/plain/",
      `Authorization: Bearer ${TOKEN}`,
    );
    assert.equal(known.status, 405);
    assert.deepEqual(headersOf(known), [null, null, "same-origin"]);
  });

  it("has them on what other sites and other hosts are refused", async () => {
    const cross = await send(open, "GET /apps/main/iso/index.html", "Sec-Fetch-Site: cross-site");
    assert.equal(cross.status, 403);
    assert.deepEqual(headersOf(cross), ISOLATED);
    const host = await send(open, "GET /apps/main/iso/index.html", "Host: elsewhere.example");
    assert.equal(host.status, 421);
    assert.deepEqual(headersOf(host), ISOLATED);
  });

  it("has none on what is no app's", async () => {
    for (const target of ["/api/nothing", "/apps/main", "/apps", "/", "*"]) {
      const response = await send(open, `POST ${target}`);
      assert.equal(response.header("cross-origin-embedder-policy"), null, target);
    }
  });

  it("has them where an app has its own origin: on the way there and on its host", async () => {
    const own = await listeningHolon({
      config: { local_apps: { own_origin: ["main/iso", "main/plain"] } },
    });
    try {
      for (const id of ["iso", "plain"]) {
        const manifest = {
          id,
          name: id,
          version: "1",
          entry: "index.html",
          isolation: id === "iso",
        };
        own.write({ [`${id}/manifest.json`]: JSON.stringify(manifest), [`${id}/index.html`]: "" });
        const embedder = id === "iso" ? "require-corp" : null;
        const navigation = ["Accept: text/html", "Sec-Fetch-Mode: navigate"];
        const there = await send(own, `GET /apps/main/${id}/`, ...navigation);
        assert.equal(there.status, 307);
        assert.equal(there.header("cross-origin-embedder-policy"), embedder);
        const refused = await send(own, `GET /apps/main/${id}/index.html`);
        assert.equal(refused.status, 403);
        assert.equal(refused.header("cross-origin-embedder-policy"), embedder);
        const host = `Host: ${there.header("location")?.split("/")[2]}`;
        const unknown = await send(own, "GET /index.html", host);
        assert.equal(unknown.status, 401);
        assert.equal(unknown.header("cross-origin-embedder-policy"), embedder);
      }
    } finally {
      await own.close();
    }
  });
});
