import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type AppHandler, createAppHandler, OPEN_SETTINGS } from "../support/app_handler.ts";

const ISOLATED = {
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};
const PLAIN = {
  "cross-origin-embedder-policy": null,
  "cross-origin-opener-policy": null,
  "cross-origin-resource-policy": "same-origin",
};

describe("isolation", () => {
  let handler: AppHandler;
  before(() => {
    handler = createAppHandler();
    handler.clock = { now: () => Date.now() + 60_000 };
    handler.settings = { ...OPEN_SETTINGS, maxAssetBytes: 10 };
    for (const id of ["iso", "plain"]) {
      const manifest = { id, name: id, version: "1", entry: "index.html" };
      handler.write({
        [`${id}/manifest.json`]: JSON.stringify({
          ...manifest,
          ...(id === "iso" ? { isolation: true } : {}),
        }),
        [`${id}/index.html`]: "<p>",
        [`${id}/worker.js`]: "0",
        [`${id}/m.wasm`]: "",
        [`${id}/sub/p.png`]: "png",
        [`${id}/.env`]: "hidden",
        [`${id}/big.bin`]: "0123456789x",
      });
    }
  });
  after(() => handler.remove());

  type Call = readonly [what: string, path: string, status: number, init?: RequestInit];
  const json = (body: unknown): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const request = { version: "1", request_type: "ping", payload: null };
  const calls: readonly Call[] = [
    ["the entry page", "/", 200],
    ["HEAD of the entry page", "/", 200, { method: "HEAD" }],
    ["the redirect to it", "", 308],
    ["a worker script", "/worker.js", 200],
    ["an empty module", "/m.wasm", 200],
    ["an image in a subfolder", "/sub/p.png", 200],
    ["a range", "/sub/p.png", 206, { headers: { range: "bytes=0-0" } }],
    ["a range that misses", "/sub/p.png", 416, { headers: { range: "bytes=9-" } }],
    ["a failed precondition", "/sub/p.png", 412, { headers: { "if-match": '"x"' } }],
    ["the SDK", "/holon.js", 200],
    ["the SDK as it is known", "/holon.js", 304, { headers: { "if-none-match": "*" } }],
    ["the SDK's module", "/holon.mjs", 200],
    ["the context", "/context", 200],
    ["a request", "/request", 200, json(request)],
    ["a refused request", "/request", 400, json({ ...request, version: "2" })],
    ["a broken request", "/request", 415, { method: "POST", body: "x" }],
    ["the events", "/events", 200],
    ["a refused stream", "/events", 400, { headers: { "last-event-id": "x" } }],
    ["a missing file", "/absent.js", 404],
    ["a hidden file", "/.env", 403],
    ["a large file", "/big.bin", 413],
  ];

  async function headersOf(path: string, status: number, init?: RequestInit) {
    const response = await handler.fetch(`/apps/main${path}`, init);
    await response.body?.cancel();
    assert.equal(response.status, status);
    return Object.fromEntries(
      Object.keys(ISOLATED).map((name) => [name, response.headers.get(name)]),
    );
  }

  for (const [what, path, status, init] of calls) {
    it(`is on ${what} where the manifest asks for it, and nowhere else`, async () => {
      assert.deepEqual(await headersOf(`/iso${path}`, status, init), ISOLATED);
      assert.deepEqual(await headersOf(`/plain${path}`, status, init), PLAIN);
    });
  }

  it("is on 304 of a file", async () => {
    const first = await handler.fetch("/apps/main/iso/worker.js", { method: "HEAD" });
    const headers = { "if-none-match": first.headers.get("etag") ?? "" };
    assert.deepEqual(await headersOf("/iso/worker.js", 304, { headers }), ISOLATED);
  });

  it("is named in the list of apps where it is on", async () => {
    const [iso, plain] = await handler.apps.list("main");
    assert.equal(iso?.isolation, true);
    assert.ok(plain !== undefined && !("isolation" in plain));
  });

  it("leaves no permit taken and raises nothing", () => {
    assert.equal(handler.permits.free, handler.permits.limit);
    assert.deepEqual(handler.unexpected, []);
  });
});
