import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { type ReachedHolon, reachedHolon } from "../support/reached_holon.ts";
import { run } from "./memory_io.ts";

const TOKEN = "the-token-of-the-server-0123456789";
const LAN = { access: "lan", host: "lab.local", token: TOKEN } as const;

describe("holon pair", () => {
  let reached: ReachedHolon;
  afterEach(() => reached.close());

  const redeem = (url: string, userAgent = "curl/8.14.1") =>
    reached.holon.fetch(
      new Request("http://localhost/api/auth/pairing/redeem", {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": userAgent },
        body: JSON.stringify({ ticket: url.split("#")[1] }),
      }),
    );

  it("shows a code and its link, after what plain HTTP means", async () => {
    reached = await reachedHolon(LAN);
    const { code, out, err } = await run(["pair"], { home: reached.home });
    assert.equal(code, 0, err);
    const [url = ""] = /http:\/\/\S+/.exec(out) ?? [];
    assert.match(url, new RegExp(`^http://lab\\.local:${reached.port}/pair#[0-9a-f]{64}$`));
    assert.match(out, /^█{20,}\n/);
    assert.match(err, /plain HTTP.*\n[^]*scope app/);
    assert.equal((await redeem(url)).status, 200);
    assert.equal((await redeem(url)).status, 401);
  });

  it("waits on a terminal until the code is used, and says by whom", async () => {
    reached = await reachedHolon(LAN);
    let redeemed: Promise<Response> | undefined;
    const { code, err } = await run(["pair", "--scope", "read"], {
      home: reached.home,
      terminal: true,
      onOut: (text) => {
        // deno-lint-ignore no-control-regex
        const url = /http:\/\/[^\s\u001b]+/.exec(text)?.[0];
        if (url !== undefined) redeemed = redeem(url);
      },
    });
    assert.equal(code, 0, err);
    assert.equal((await redeemed)?.status, 200);
    assert.match(err, /Used by curl/);
    const { out } = await run(["sessions", "list"], { home: reached.home });
    assert.match(out, /curl +read +pairing/);
  });

  it("gives a code up when it is told to stop", async () => {
    reached = await reachedHolon(LAN);
    const stop = new AbortController();
    let url = "";
    const { code, err } = await run(["pair"], {
      home: reached.home,
      terminal: true,
      stop: stop.signal,
      onOut: (text) => {
        // deno-lint-ignore no-control-regex
        url = /http:\/\/[^\s\u001b]+/.exec(text)?.[0] ?? "";
        stop.abort();
      },
    });
    assert.equal(code, 1, err);
    assert.equal((await redeem(url)).status, 401);
  });

  it("says that a phone reaches no loopback address, and what to start", async () => {
    reached = await reachedHolon({ access: "tunnel", token: TOKEN });
    const { code, out, err } = await run(["pair", "--json"], { home: reached.home });
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /a phone can't\n +Start it for your network: holon serve --access lan/);
  });

  it("ends with the credential that made it", async () => {
    reached = await reachedHolon(LAN);
    const make = ["token", "create", "ops", "--scope", "control", "--quiet"];
    const token = (await run(make, { home: reached.home })).out.trim();
    const issue = async () => {
      const response = await reached.holon.fetch(
        new Request("http://localhost/api/auth/pairing/issue", {
          method: "POST",
          headers: { "content-type": "application/json", "authorization": `Bearer ${token}` },
          body: "{}",
        }),
      );
      return (await response.json()).url;
    };
    const used = await redeem(await issue());
    const session = /=([0-9a-f]{64})/.exec(used.headers.get("set-cookie") ?? "")?.[1];
    const unused = await issue();
    await run(["token", "revoke", "ops"], { home: reached.home });
    assert.equal((await redeem(unused)).status, 401);
    const headers = { authorization: `Bearer ${session}` };
    const me = new Request("http://localhost/api/auth/session/me", { headers });
    assert.equal((await reached.holon.fetch(me)).status, 401);
  });
});
