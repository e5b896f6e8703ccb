import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { appCookieName, COOKIE_SECONDS, createAppCookies } from "../../src/origins/app_cookies.ts";
import type { Grant } from "../../src/origins/types.ts";
import { fakeClock } from "../support/fake_host.ts";

const GRANT: Grant = {
  agentId: "main",
  appId: "card",
  by: "local",
  sessionId: null,
  tokenId: null,
};
const LABEL = "card-0123abcd";
const HOST = { name: `${LABEL}.localhost`, port: 7878 };

function derive(purpose: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(purpose.padEnd(32));
  return crypto.subtle.digest("SHA-256", bytes).then((digest) => new Uint8Array(digest));
}

function cookiesOf(tokenDigest: string | null, clock = fakeClock()) {
  return createAppCookies({ clock, derive, tokenDigest });
}

describe("createAppCookies()", () => {
  it("sets a cookie for its host alone, out of the reach of scripts", async () => {
    const [pair, ...attributes] = (await cookiesOf(null).issue(GRANT, HOST, LABEL, false)).split(
      "; ",
    );
    assert.match(pair ?? "", /^holon_app_7878_0123abcd=[\w.-]+$/);
    assert.deepEqual(attributes, ["Path=/", "HttpOnly", "SameSite=Lax"]);
  });

  it("keeps it to TLS where the browser comes over it", async () => {
    const cookie = await cookiesOf(null).issue(GRANT, HOST, LABEL, true);
    assert.ok(cookie.split("; ").includes("Secure"));
  });

  it("reads it again, among others of its name", async () => {
    const cookies = cookiesOf(null);
    const [pair] = (await cookies.issue(GRANT, HOST, LABEL, false)).split("; ");
    const header = `${appCookieName(HOST, LABEL)}=tossed; other=1; ${pair}`;
    assert.deepEqual(await cookies.read(header, HOST, LABEL), GRANT);
    assert.deepEqual(await cookies.read(header, HOST, LABEL), GRANT);
    assert.equal(await cookies.read(null, HOST, LABEL), null);
    assert.equal(await cookies.read("other=1", HOST, LABEL), null);
  });

  it("grants nothing at another host, though its name be right", async () => {
    const cookies = cookiesOf(null);
    const [pair] = (await cookies.issue(GRANT, HOST, LABEL, false)).split("; ");
    for (const host of [{ ...HOST, name: `x-0123abcd.localhost` }, { ...HOST, port: 80 }]) {
      const value = pair?.split("=")[1];
      const header = `${appCookieName(host, LABEL)}=${value}`;
      assert.equal(await cookies.read(header, host, LABEL), null);
    }
    assert.deepEqual(await cookies.read(pair ?? "", HOST, LABEL), GRANT);
  });

  it("ends with its time, and with the server's token", async () => {
    const clock = fakeClock();
    const cookies = cookiesOf("one", clock);
    const [pair = ""] = (await cookies.issue(GRANT, HOST, LABEL, false)).split("; ");
    assert.deepEqual(await cookies.read(pair, HOST, LABEL), GRANT);
    assert.deepEqual(await cookiesOf("one", clock).read(pair, HOST, LABEL), GRANT);
    assert.equal(await cookiesOf("two", clock).read(pair, HOST, LABEL), null);
    assert.equal(await cookiesOf(null, clock).read(pair, HOST, LABEL), null);
    clock.advance(COOKIE_SECONDS * 1000);
    assert.equal(await cookies.read(pair, HOST, LABEL), null);
  });
});
