import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { tempDirectory } from "../support/temp_home.ts";

const TOKEN = "a token that is long enough";
const HOST = "lab.tailnet.ts.net";

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

describe("behind a reverse proxy", () => {
  const directory = tempDirectory();
  let holon: ListeningHolon;

  before(async () => {
    const home = join(directory.path, "home");
    mkdirSync(home, { mode: 0o700 });
    const server = { trusted_proxies: ["127.0.0.1"], allowed_hosts: [HOST] };
    writeFileSync(join(home, "config.json"), JSON.stringify({ server }), { mode: 0o600 });
    holon = await listeningHolon({ home, token: TOKEN });
  });
  after(async () => {
    await holon.close();
    directory.remove();
  });

  /** Sends a request as the peer at an address of this machine. */
  function send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    { peer = "127.0.0.1", body = "" } = {},
  ): Promise<Answer> {
    const lines = Object.entries({ "Host": `127.0.0.1:${holon.port}`, ...headers })
      .map(([name, value]) => `${name}: ${value}`);
    const length = body === "" ? [] : [`Content-Length: ${body.length}`];
    const text = [`${method} ${path} HTTP/1.1`, ...lines, ...length, "Connection: close", "", body];
    return new Promise((resolve, reject) => {
      const socket = connect({ port: holon.port, host: "127.0.0.1", localAddress: peer });
      let got = "";
      socket.setEncoding("utf8");
      socket.on("error", reject);
      socket.on("data", (chunk: string) => got += chunk);
      socket.on("end", () => {
        const cut = got.indexOf("\r\n\r\n");
        resolve({
          status: Number(got.slice(9, 12)),
          head: got.slice(0, cut),
          body: got.slice(cut + 4),
        });
      });
      socket.write(text.join("\r\n"));
    });
  }

  // What each sends on its own, or as docs/remote-access.md has it set up.
  const proxies: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    "nginx": {
      "Host": HOST,
      "X-Forwarded-Host": HOST,
      "X-Forwarded-Proto": "https",
      "X-Forwarded-For": "203.0.113.9",
    },
    "Caddy": {
      "Host": HOST,
      "Via": "1.1 Caddy",
      "X-Forwarded-For": "203.0.113.9",
      "X-Forwarded-Host": HOST,
      "X-Forwarded-Proto": "https",
    },
    "tailscale serve": {
      "Host": HOST,
      "X-Forwarded-For": "100.64.0.9",
      "X-Forwarded-Host": HOST,
      "X-Forwarded-Proto": "https",
      "Tailscale-User-Login": "ann@example.com",
      "Tailscale-User-Name": "Ann",
    },
    "a proxy with Forwarded": { "Forwarded": `for=203.0.113.9;host=${HOST};proto=https` },
  };

  for (const [name, headers] of Object.entries(proxies)) {
    it(`lets a browser sign in through ${name}`, async () => {
      assert.equal((await send("GET", "/api/agents", headers)).status, 401);
      const bearer = { ...headers, "Authorization": `Bearer ${TOKEN}` };
      assert.equal((await send("GET", "/api/agents", bearer)).status, 200);

      const page = { ...headers, "Origin": `https://${HOST}`, "Content-Type": "application/json" };
      const body = JSON.stringify({ credential: TOKEN });
      const exchange = "/api/auth/session/exchange";
      const signedIn = await send("POST", exchange, page, { body });
      assert.equal(signedIn.status, 200, signedIn.body);
      const cookie = /^set-cookie: ([^;]+)/im.exec(signedIn.head)?.[1] ?? "";
      assert.equal((await send("GET", "/api/agents", { ...headers, cookie })).status, 200);
      const session = { ...page, cookie };
      assert.equal((await send("POST", "/api/auth/session/logout", session)).status, 204);

      for (const origin of [`http://${HOST}`, `https://${HOST}:8443`, "https://evil.example"]) {
        const foreign = await send("POST", exchange, { ...page, "Origin": origin }, { body });
        assert.equal(foreign.status, 403, origin);
      }
    });
  }

  it("believes no other peer, and lets it in by nothing but a credential", async () => {
    const peer = "127.0.0.2";
    for (const headers of Object.values(proxies)) {
      const claimed = { ...headers, "Host": "evil.example", "Authorization": `Bearer ${TOKEN}` };
      assert.equal((await send("GET", "/api/agents", claimed, { peer })).status, 421);
      assert.equal((await send("GET", "/api/agents", headers, { peer })).status, 401);
    }
  });

  it("answers to no host that the proxy names and nobody has allowed", async () => {
    const headers = { "X-Forwarded-Host": "evil.example", "Authorization": `Bearer ${TOKEN}` };
    const { status, body } = await send("GET", "/api/agents", headers);
    assert.equal(status, 421);
    assert.match(body, /Add evil\.example to the setting server\.allowed_hosts/);
  });
});
