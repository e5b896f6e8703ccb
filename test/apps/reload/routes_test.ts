import assert from "node:assert/strict";
import { unlinkSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { isLive } from "../../../src/apps/reload/reload_policy.ts";
import type { ConnectionInfo } from "../../../src/host/types.ts";
import { type AppHandler, createAppHandler, outcomeOf } from "../../support/app_handler.ts";
import { until } from "../../support/until.ts";

/** Frames of a stream, read until the test has seen enough. */
async function* framesOf(response: Response): AsyncGenerator<{ event: string; data: string }> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const frame = text.slice(0, end);
        text = text.slice(end + 2);
        const event = /^event: (.*)$/m.exec(frame)?.[1];
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (event !== undefined && data !== undefined) yield { event, data };
      }
    }
  } finally {
    await reader.cancel();
  }
}

type Frames = ReturnType<typeof framesOf>;

async function nextData(frames: Frames): Promise<Record<string, unknown>> {
  const { value } = await frames.next();
  assert.equal(value?.event, "holon_reload");
  return JSON.parse(value.data);
}

describe("live reload over HTTP", () => {
  let handler: AppHandler;
  before(() => {
    handler = createAppHandler();
    handler.write({
      "a/index.html": "A",
      "a/style.css": "A",
      "b/index.html": "B",
      "b/manifest.json": JSON.stringify({
        id: "b",
        name: "B",
        version: "1",
        entry: "index.html",
        isolation: true,
      }),
    });
  });
  after(() => {
    handler.remove();
    assert.deepEqual(handler.unexpected, []);
  });
  beforeEach(() => {
    handler.liveReloadMode = "on";
    handler.deliveries = [];
  });

  const only = { headers: { "x-holon-reload": "only" } };
  const too = { headers: { "x-holon-reload": "too" } };

  it("streams how several apps are, then what changes", async () => {
    const response = await handler.fetch("/api/reload?apps=main/a,main/b,main/a");
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    const frames = framesOf(response);
    const first = [await nextData(frames), await nextData(frames)];
    assert.deepEqual(first.map(({ app }) => app).sort(), ["main/a", "main/b"]);
    const before = first.find(({ app }) => app === "main/a")!;
    assert.deepEqual(Object.keys(before), ["app", "version", "changed_ms"]);
    assert.match(String(before["version"]), /^[0-9a-f]{16}$/);
    assert.ok(Number(before["changed_ms"]) >= 0);
    handler.write({ "a/style.css": "changed" });
    const { version, changed_ms, ...rest } = await nextData(frames);
    assert.notEqual(version, before["version"]);
    assert.ok(Number(changed_ms) < 60_000);
    assert.deepEqual(rest, {
      app: "main/a",
      from: before["version"],
      kind: "style",
      paths: ["style.css"],
    });
    unlinkSync(join(handler.home, "agents/main/apps/a/style.css"));
    const next = await nextData(frames);
    assert.deepEqual([next["from"], next["kind"], next["paths"]], [version, "reload", undefined]);
    await frames.return(undefined);
    handler.write({ "a/style.css": "A" });
  });

  it("refuses what names no apps, and where it is off", async () => {
    const outcome = async (target: string, init?: RequestInit) =>
      await outcomeOf(await handler.fetch(target, init));
    assert.equal(await outcome("/api/reload"), "400 bad_request");
    assert.equal(await outcome("/api/reload?apps=main"), "400 bad_request");
    assert.equal(await outcome("/api/reload?apps=main/a/b"), "400 bad_request");
    assert.equal(await outcome("/api/reload?apps=main/.git"), "403 forbidden");
    const many = Array.from({ length: 65 }, (_, index) => `main/x${index}`);
    assert.equal(await outcome(`/api/reload?apps=${many}`), "400 bad_request");
    handler.liveReloadMode = "off";
    assert.equal(await outcome("/api/reload?apps=main/a"), "404 not_found");
    assert.equal(await outcome("/apps/main/a/events", only), "404 not_found");
  });

  it("rides on an app's events when it is asked to", async () => {
    const event = {
      topic: "agent:main",
      sequence: 8,
      type: "message_enqueued",
      timestamp: "2026-01-01T00:00:00.000Z",
      messageId: "m",
      requestId: "r",
      origin: "app:a",
    } as const;
    let hasEnded = false;
    handler.deliveries = async function* () {
      yield { kind: "event", event } as const;
      const { signal } = handler.subscriptions.at(-1)!;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      hasEnded = true;
    }();
    const frames = framesOf(await handler.fetch("/apps/main/a/events", too));
    assert.equal((await frames.next()).value?.event, "holon_event");
    assert.equal((await nextData(frames))["app"], "main/a");
    handler.write({ "a/x.js": "x" });
    assert.equal((await nextData(frames))["kind"], "reload");
    await frames.return(undefined);
    await until(() => hasEnded);
  });

  it("leaves events alone when nobody asks, or it is off", async () => {
    handler.deliveries = [{ kind: "gap", after: 1, oldest: 2 }];
    const frames = framesOf(await handler.fetch("/apps/main/a/events"));
    assert.equal((await frames.next()).value?.event, "holon_gap");
    assert.equal((await frames.next()).done, true);
    handler.liveReloadMode = "off";
    const others = framesOf(await handler.fetch("/apps/main/a/events", too));
    assert.equal((await others.next()).value?.event, "holon_gap");
    assert.equal((await others.next()).done, true);
  });

  it("streams changes of one app alone from the app's own path", async () => {
    const response = await handler.fetch("/apps/main/b/events", only);
    assert.equal(response.headers.get("cross-origin-embedder-policy"), "require-corp");
    const frames = framesOf(response);
    assert.equal((await nextData(frames))["app"], "main/b");
    await frames.return(undefined);
  });

  it("sends the SDK with live reload only where it is on", async () => {
    const sdk = async () => [
      await (await handler.fetch("/apps/main/a/holon.js")).text(),
      await (await handler.fetch("/apps/main/a/holon.mjs")).text(),
    ];
    assert.deepEqual(await sdk(), ["/* live classic */", "/* live module */"]);
    const tag = (await handler.fetch("/apps/main/a/holon.js")).headers.get("etag");
    handler.liveReloadMode = "off";
    assert.deepEqual(await sdk(), ["/* classic */", "/* module */"]);
    const again = await handler.fetch("/apps/main/a/holon.js", {
      headers: { "if-none-match": tag! },
    });
    assert.equal(again.status, 200);
  });
});

describe("isLive()", () => {
  function sender(peer: string | null, host: string | null, headers: HeadersInit = {}) {
    const request = new Request("http://localhost/", { headers });
    if (peer === null) return { request, info: null };
    const info: ConnectionInfo = {
      target: "/",
      host,
      transport: "tcp",
      peer: { address: peer, port: 1 },
      local: { address: "127.0.0.1", port: 7878 },
      ended: new Promise(() => {}),
    };
    return { request, info };
  }

  const cases: [who: string, from: Parameters<typeof isLive>[1], auto: boolean][] = [
    ["a browser here", sender("127.0.0.1", "localhost:7878"), true],
    ["one that names an address", sender("::1", "[::1]:7878"), true],
    ["an app's own origin", sender("127.0.0.1", "card-1a2b3c4d.localhost:7878"), true],
    ["another machine", sender("192.168.1.9", "localhost:7878"), false],
    ["a public name", sender("127.0.0.1", "holon.example.net"), false],
    ["what a proxy passes on", sender("127.0.0.1", "localhost", { forwarded: "for=_x" }), false],
    ["nobody known", sender(null, null), false],
  ];
  for (const [who, from, auto] of cases) {
    it(`is ${auto} by itself for ${who}`, () => {
      assert.equal(isLive("auto", from), auto);
      assert.equal(isLive("on", from), true);
      assert.equal(isLive("off", from), false);
    });
  }
});
