import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createHolon, type Holon } from "../src/holon.ts";
import { createHost } from "../src/host/current.ts";
import type { ConnectionInfo } from "../src/host/types.ts";
import { tempDirectory } from "./support/temp_home.ts";

const TOKEN = "a token that is long enough";
const JSON_TYPE = { "content-type": "application/json" };

/** What a listener would tell of a request from a browser on this machine. */
function fromLoopback(target: string): ConnectionInfo {
  return {
    target,
    host: "localhost:7878",
    transport: "tcp",
    peer: { address: "127.0.0.1", port: 50_000 },
    local: { address: "127.0.0.1", port: 7878 },
    ended: new Promise(() => {}),
  };
}

describe("createHolon() with a token", () => {
  const directory = tempDirectory();
  const home = realpathSync(directory.path);
  const unexpected: unknown[] = [];
  let holon: Holon;

  before(async () => {
    const app = join(home, "agents/main/apps/card");
    mkdirSync(app, { recursive: true });
    writeFileSync(join(app, "index.html"), "<p>card");
    holon = await createHolon({
      host: createHost(),
      home,
      token: TOKEN,
      onError: (error) => unexpected.push(error),
    });
  });
  after(async () => {
    await holon.close();
    directory.remove();
    assert.deepEqual(unexpected, []);
  });

  function send(method: string, target: string, init: RequestInit = {}): Promise<Response> {
    const request = new Request(`http://localhost:7878${target}`, { ...init, method });
    return holon.fetch(request, fromLoopback(target));
  }

  async function signIn(credential: string): Promise<Response> {
    return await send("POST", "/api/auth/session/exchange", {
      headers: JSON_TYPE,
      body: JSON.stringify({ credential }),
    });
  }

  it("keeps everything but signing in from those without a credential", async () => {
    const paths = [
      ...["/", "/apps/main", "/apps/main/card", "/apps/main/card/", "/apps/main/card/holon.js"],
      ...["/apps/main/card/context", "/apps/main/card/events", "/apps/nobody/", "/nothing"],
      ...["/api/agents", "/api/agents/main/state", "/api/agents/main/events/stream"],
      ...["/api/events/stream", "/api/agents/main/messages", "/api/control/runtime/config"],
      ...["/api/auth/session/me"],
    ];
    for (const path of paths) {
      for (const headers of [{}, { authorization: "Bearer wrong" }]) {
        const response = await send("GET", path, { headers });
        assert.equal(response.status, 401, path);
        assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
        assert.equal((await response.json()).code, "auth_required");
      }
    }
    for (const path of ["/sign-in", "/api/auth/method", "/favicon.ico"]) {
      const response = await send("GET", path);
      assert.equal(response.status, 200, path);
      await response.body?.cancel();
    }
  });

  it("lets a bearer of the token in", async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await send("GET", "/apps/main/card/", { headers });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), "<p>card");
  });

  it("turns the token into a session, and ends it by logout", async () => {
    const exchange = await signIn(TOKEN);
    assert.deepEqual(await exchange.json(), { ok: true, expires_at: null, user_id: "control" });
    const [pair = "", ...attributes] = (exchange.headers.get("set-cookie") ?? "").split("; ");
    assert.match(pair, /^holon_session_7878=[0-9a-f]{64}$/);
    assert.deepEqual(attributes, ["Path=/", "HttpOnly", "SameSite=Lax"]);
    // By bearer, since runtimes differ in whether a Request may carry a Cookie header.
    const headers = { authorization: `Bearer ${pair.split("=")[1]}` };
    const me = await (await send("GET", "/api/auth/session/me", { headers })).json();
    assert.equal(me.auth_method, "session");
    const logout = await send("POST", "/api/auth/session/logout", { headers });
    assert.equal(logout.status, 204);
    assert.match(logout.headers.get("set-cookie") ?? "", /^holon_session_7878=;.*Max-Age=0$/);
    assert.equal((await send("GET", "/api/auth/session/me", { headers })).status, 401);
  });

  it("refuses a wrong, an empty and a missing credential, each by its own code", async () => {
    const wrong = await signIn("wrong");
    assert.equal(wrong.status, 401);
    assert.equal((await wrong.json()).context.auth_reason_code, "invalid_static_token");
    assert.equal((await signIn("  ")).status, 400);
    const shape = await send("POST", "/api/auth/session/exchange", {
      headers: JSON_TYPE,
      body: "{}",
    });
    assert.equal(shape.status, 422);
  });

  it("treats a call without a listener as an untrusted peer", async () => {
    const open = await holon.fetch(new Request("http://localhost/apps/main/card/"));
    assert.equal(open.status, 401);
    const foreign = await holon.fetch(new Request("http://evil.example/sign-in"));
    assert.equal(foreign.status, 421);
  });

  it("gives a browser that navigates the form to sign in, wherever it goes", async () => {
    const headers = { accept: "text/html" };
    const form = await (await send("GET", "/sign-in")).text();
    for (const path of ["/", "/nothing", "/api/agents", "//evil.example"]) {
      const response = await send("GET", path, { headers });
      assert.equal(response.status, 401, path);
      assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
      assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
      assert.equal(response.headers.get("cross-origin-opener-policy"), "same-origin");
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.equal(await response.text(), form, path);
    }
    const atApp = await send("GET", "/apps/main/card/?a=1", { headers });
    assert.equal(atApp.status, 401);
    assert.match(await atApp.text(), /href="\/sign-in\?next=%2Fapps%2Fmain%2Fcard%2F%3Fa%3D1"/);
    const loads = [...form.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!);
    for (const path of loads) {
      const response = await send("GET", path);
      assert.equal(response.status, 200, path);
      await response.body?.cancel();
    }
    // Scripts, and what a page frames or loads, are told in their own terms.
    const script = { ...headers, "sec-fetch-mode": "cors" };
    assert.equal(
      (await (await send("GET", "/", { headers: script })).json()).code,
      "auth_required",
    );
  });

  it("answers 503 once it is closing", async () => {
    const other = tempDirectory();
    const closing = await createHolon({
      host: createHost(),
      home: realpathSync(other.path),
      token: null,
    });
    await closing.close();
    const response = await closing.fetch(new Request("http://localhost/"), fromLoopback("/"));
    assert.equal(response.status, 503);
    assert.equal((await response.json()).code, "runtime_shutting_down");
    other.remove();
  });
});
