/** Own origins over a whole Holon, in process: what is reached on which host, and by whom. */

import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createHolon, type Holon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import { tempDirectory } from "../support/temp_home.ts";

const TOKEN = "a token that is long enough";
const SHARED = "localhost:7878";
const NAVIGATION = {
  "accept": "text/html",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly peer?: string;
}

function testHolon(token: string | null, settings: Record<string, unknown>) {
  const directory = tempDirectory();
  const home = realpathSync(directory.path);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text, { mode: 0o600 });
  };
  for (const app of ["card", "other", "plain"]) {
    write(`agents/main/apps/${app}/index.html`, `<p>${app}`);
    write(`agents/main/apps/${app}/sub/data.txt`, `data of ${app}`);
  }
  write("config.json", JSON.stringify({ local_apps: settings }));
  const unexpected: unknown[] = [];
  const onError = (error: unknown) => void unexpected.push(error);
  const opened = createHolon({ host: createHost(), home, token, onError });

  async function send(url: string, sent: Sent = {}): Promise<Response> {
    const [, host = "", target = ""] = /^(?:http:)?\/\/([^/]+)(\/.*)$/.exec(url) ?? [];
    const { method = "GET", body, peer = "127.0.0.1" } = sent;
    const request = new Request(`http://${host}/`, {
      method,
      ...(body === undefined ? {} : { body }),
    });
    // Runtimes differ in whether a Request may be made with a Cookie header.
    Object.defineProperty(request, "headers", { value: new Headers(sent.headers) });
    return await (await opened).fetch(request, {
      target,
      host,
      transport: "tcp",
      peer: { address: peer, port: 50_000 },
      local: { address: peer, port: 7878 },
      ended: new Promise(() => {}),
    });
  }

  /** Opens an app as a browser does; gives its origin and the cookie for it. */
  async function open(app: string, headers: Record<string, string> = {}, shared = SHARED) {
    const first = await send(`//${shared}/apps/main/${app}/?q=1`, {
      headers: { ...NAVIGATION, ...headers },
    });
    assert.equal(first.status, 307);
    const entrance = first.headers.get("location") ?? "";
    const second = await send(entrance, { headers: NAVIGATION });
    assert.equal(second.status, 303);
    const origin = `//${entrance.split("/")[2]}`;
    assert.equal(second.headers.get("location"), `${origin}/?q=1`);
    const [cookie = ""] = (second.headers.get("set-cookie") ?? "").split(";");
    return { origin, entrance, cookie };
  }

  return {
    opened,
    send,
    open,
    async close() {
      await (await opened).close();
      directory.remove();
      assert.deepEqual(unexpected, []);
    },
  };
}

async function codeOf(response: Response): Promise<string> {
  return `${response.status} ${(await response.json()).code}`;
}

describe("own origins without a token", () => {
  const local = testHolon(null, { own_origin: ["main/card", "main/other"] });
  let holon: Holon;
  before(async () => {
    holon = await local.opened;
  });
  after(local.close);
  const { send, open } = local;

  it("leads a navigation from the shared path to the app, and leaves other apps alone", async () => {
    const { origin, cookie } = await open("card");
    assert.match(origin, /^\/\/card-[0-9a-f]{8}\.localhost:7878$/);
    const entry = await send(`${origin}/?q=1`, { headers: { cookie, ...NAVIGATION } });
    assert.equal(await entry.text(), "<p>card");
    assert.equal(entry.headers.get("origin-agent-cluster"), "?1");
    assert.equal(entry.headers.get("cross-origin-resource-policy"), "same-origin");
    assert.equal(entry.headers.get("cross-origin-opener-policy"), "same-origin-allow-popups");
    assert.equal(entry.headers.get("content-security-policy"), "frame-ancestors 'self'");
    const file = await send(`${origin}/sub/data.txt`, { headers: { cookie } });
    assert.equal(await file.text(), "data of card");
    assert.equal(
      (await (await send(`${origin}/context`, { headers: { cookie } })).json()).app_id,
      "card",
    );
    const plain = await send(`//${SHARED}/apps/main/plain/`, { headers: NAVIGATION });
    assert.equal(await plain.text(), "<p>plain");
  });

  it("refuses at the shared path what is no navigation", async () => {
    const path = `//${SHARED}/apps/main/card`;
    for (const rest of ["/", "/index.html", "/sub/data.txt", "/holon.js", "/context", "/events"]) {
      assert.equal(await codeOf(await send(path + rest)), "403 forbidden", rest);
    }
    const frame = { ...NAVIGATION, "sec-fetch-dest": "iframe", "accept": "*/*" };
    assert.equal(await codeOf(await send(`${path}/`, { headers: frame })), "403 forbidden");
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ version: "1", request_type: "x", payload: null });
    const posted = await send(`${path}/request`, { method: "POST", headers, body });
    assert.equal(await codeOf(posted), "403 forbidden");
    const missing = await send(`//${SHARED}/apps/main/none/`, { headers: { accept: "*/*" } });
    assert.equal(missing.status, 404);
  });

  it("keeps path, query and escapes on the way", async () => {
    const path = "/sub%20x//data.txt?a=%26&b";
    const first = await send(`//${SHARED}/apps/main/card${path}`, { headers: NAVIGATION });
    const second = await send(first.headers.get("location") ?? "", { headers: NAVIGATION });
    const clean = second.headers.get("location") ?? "";
    assert.ok(clean.endsWith(`.localhost:7878${path}`), clean);
    const bare = await send(`//${SHARED}/apps/main/card`, { headers: NAVIGATION });
    assert.match(bare.headers.get("location") ?? "", /:7878\/\?holon_ticket=/);
  });

  it("sends a window without a cookie away, and refuses all else", async () => {
    const { origin } = await open("card");
    const away = await send(`${origin}//evil.example/?q`, { headers: NAVIGATION });
    assert.equal(away.status, 307);
    assert.equal(away.headers.get("location"), `//${SHARED}/apps/main/card//evil.example/?q`);
    for (const rest of ["/", "/index.html", "/context", "/holon.js", "/events", "/nothing"]) {
      assert.equal(await codeOf(await send(origin + rest)), "401 auth_required", rest);
    }
  });

  it("takes a ticket once, and at its own app only", async () => {
    const card = await open("card");
    const other = await open("other");
    const again = await send(card.entrance, { headers: NAVIGATION });
    assert.equal(again.status, 307);
    assert.equal(again.headers.get("set-cookie"), null);
    assert.equal(again.headers.get("location"), `//${SHARED}/apps/main/card/?q=1`);
    assert.equal(await codeOf(await send(card.entrance)), "401 auth_required");
    const fresh = await send(`//${SHARED}/apps/main/card/`, { headers: NAVIGATION });
    const query = fresh.headers.get("location")?.split("?")[1];
    const elsewhere = await send(`${other.origin}/?${query}`, { headers: NAVIGATION });
    assert.equal(elsewhere.status, 307);
    assert.equal(elsewhere.headers.get("set-cookie"), null);
  });

  it("takes no app's cookie at another app, nor at Holon's own origin", async () => {
    const card = await open("card");
    const other = await open("other");
    const value = card.cookie.split("=")[1];
    const name = other.cookie.split("=")[0];
    const cookie = `${card.cookie}; ${name}=${value}`;
    assert.equal(
      await codeOf(await send(`${other.origin}/`, { headers: { cookie } })),
      "401 auth_required",
    );
  });

  it("refuses requests of other pages, siblings too", async () => {
    const { origin, cookie } = await open("card");
    for (const site of ["same-site", "cross-site"]) {
      const response = await send(`${origin}/sub/data.txt`, {
        headers: { cookie, "sec-fetch-site": site, "sec-fetch-mode": "no-cors" },
      });
      assert.equal(await codeOf(response), "403 csrf_origin_rejected");
      assert.equal(response.headers.get("access-control-allow-origin"), null);
    }
    const posted = await send(`${origin}/request`, {
      method: "POST",
      headers: { cookie, origin: `http://${SHARED}` },
    });
    assert.equal(await codeOf(posted), "403 csrf_origin_rejected");
  });

  it("takes a local grant from this machine only", async () => {
    const { origin, cookie } = await open("card");
    for (const from of [{ peer: "192.168.0.7" }, { headers: { "x-forwarded-for": "1.2.3.4" } }]) {
      const headers = { cookie, ...from.headers };
      const response = await send(`${origin}/`, { ...from, headers });
      assert.equal(await codeOf(response), "401 auth_required");
    }
  });

  it("has nothing of Holon but the app's routes on its host", async () => {
    const { origin, cookie } = await open("card");
    let swept = 0;
    for (const { method, path } of holon.routes) {
      if (path === "/") continue;
      const full = path.replace(/:[a-z]+\+/g, "sub/data.txt").replace(":agent", "main")
        .replace(":app", "other").replace(/:[a-z]+/g, "x");
      const response = await send(origin + full, {
        method,
        headers: { cookie, "content-type": "application/json", "authorization": `Bearer ${TOKEN}` },
        ...(method === "GET" ? {} : { body: "{}" }),
      });
      const outcome = `${method} ${full}: ${response.status}`;
      assert.match(outcome, method === "GET" ? /: 404$/ : /: 405$/);
      await response.body?.cancel();
      swept++;
    }
    assert.ok(swept > 30);
  });

  it("leads out of the app by no path", async () => {
    const { origin, cookie } = await open("card");
    const outcomes: string[] = [];
    for (const path of ["/../plain/sub/data.txt", "/%2e%2e/plain/", "/sub/..%2f..%2f..%2fplain/"]) {
      outcomes.push(await codeOf(await send(origin + path, { headers: { cookie } })));
    }
    assert.deepEqual(outcomes, Array(3).fill("403 forbidden"));
    for (const path of ["/.env", "//plain/", "/apps/main/plain/"]) {
      const response = await send(origin + path, { headers: { cookie } });
      assert.ok([403, 404].includes(response.status), path);
      await response.body?.cancel();
    }
  });

  it("does not answer to names that no app has", async () => {
    for (const host of ["card-00000000.localhost:7878", "evil.localhost:7878"]) {
      assert.equal(await codeOf(await send(`//${host}/`)), "421 misdirected_host");
    }
  });

  it("stops a browser that keeps no cookies", async () => {
    const { origin } = await open("other");
    const statuses: number[] = [];
    for (let round = 0; round < 6; round++) {
      const response = await send(`${origin}/sub/data.txt`, { headers: NAVIGATION });
      statuses.push(response.status);
      if (response.status !== 307) continue;
      const entrance = await send(response.headers.get("location") ?? "", { headers: NAVIGATION });
      assert.equal(
        (await send(entrance.headers.get("location") ?? "", { headers: NAVIGATION })).status,
        303,
      );
    }
    assert.deepEqual(statuses, [307, 307, 307, 307, 403, 403]);
  });

  it("says to other machines why there is nothing for them", async () => {
    const refused = await send("//192.168.0.9:7878/apps/main/card/", {
      peer: "192.168.0.9",
      headers: NAVIGATION,
    });
    // Without a token other machines are refused first.
    assert.equal(refused.status, 401);
  });
});

describe("own origins with a token", () => {
  const guarded = testHolon(TOKEN, { own_origin: ["all"], origin_domain: "apps.example.net" });
  after(guarded.close);
  const { send, open } = guarded;
  const bearer = { authorization: `Bearer ${TOKEN}` };

  async function signIn(): Promise<string> {
    const response = await send(`//${SHARED}/api/auth/session/exchange`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ credential: TOKEN }),
    });
    return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  }

  it("gives a ticket to those who are signed in, and to no one else", async () => {
    const refused = await send(`//${SHARED}/apps/main/card/`, { headers: NAVIGATION });
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get("location"), null);
    const session = await signIn();
    const { origin, cookie } = await open("card", { cookie: session });
    assert.equal(await (await send(`${origin}/`, { headers: { cookie } })).text(), "<p>card");
  });

  it("ends an app's cookie with the owner's session", async () => {
    const session = await signIn();
    const { origin, cookie } = await open("card", { cookie: session });
    assert.equal((await send(`${origin}/context`, { headers: { cookie } })).status, 200);
    const out = { method: "POST", headers: { cookie: session } };
    assert.equal((await send(`//${SHARED}/api/auth/session/logout`, out)).status, 204);
    assert.equal((await send(`${origin}/context`, { headers: { cookie } })).status, 401);
  });

  it("takes neither token nor session on an app's host", async () => {
    const session = await signIn();
    const { origin } = await open("card", bearer);
    for (const headers of [bearer, { cookie: session }]) {
      assert.equal(await codeOf(await send(`${origin}/context`, { headers })), "401 auth_required");
    }
  });

  it("gives other machines the domain, and answers at it", async () => {
    const { origin, cookie } = await open("card", bearer, "apps.example.net");
    assert.match(origin, /^\/\/card-[0-9a-f]{8}\.apps\.example\.net$/);
    const response = await send(`${origin}/`, { headers: { cookie }, peer: "192.168.0.7" });
    assert.equal(await response.text(), "<p>card");
    const away = await send(`${origin}/`, { headers: NAVIGATION });
    assert.equal(away.headers.get("location"), "//apps.example.net/apps/main/card/");
  });

  it("says why there is none for other machines, without a domain", async () => {
    const undomained = testHolon(TOKEN, { own_origin: ["all"] });
    try {
      const page = await undomained.send("//192.168.0.9:7878/apps/main/card/", {
        peer: "192.168.0.9",
        headers: { ...NAVIGATION, ...bearer },
      });
      assert.equal(page.status, 403);
      assert.match(await page.text(), /none for other machines[^]*local_apps\.origin_domain/);
    } finally {
      await undomained.close();
    }
  });
});

describe("an origin that is turned off again", () => {
  it("leads back to the shared path", async () => {
    const changed = testHolon(null, { own_origin: ["main/card"] });
    try {
      const { origin, cookie } = await changed.open("card");
      const patched = await changed.send(`//${SHARED}/api/control/runtime/config`, {
        method: "PATCH",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ updates: [{ key: "local_apps.own_origin", unset: true }] }),
      });
      assert.equal(patched.status, 200, await patched.text());
      let away = await changed.send(`${origin}/sub/?a`, { headers: { ...NAVIGATION, cookie } });
      while (away.status === 404) {
        away = await changed.send(`${origin}/sub/?a`, { headers: { ...NAVIGATION, cookie } });
      }
      assert.equal(away.headers.get("location"), `//${SHARED}/apps/main/card/sub/?a`);
      const rest = await changed.send(`${origin}/context`, { headers: { cookie } });
      assert.equal(await codeOf(rest), "421 misdirected_host");
      const shared = await changed.send(`//${SHARED}/apps/main/card/`, { headers: NAVIGATION });
      assert.equal(await shared.text(), "<p>card");
    } finally {
      await changed.close();
    }
  });
});
