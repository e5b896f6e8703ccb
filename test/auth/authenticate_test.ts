import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openAuth, type OpenedAuth, signIn, type Way } from "./open_auth.ts";

const TOKEN = "correct horse battery staple";

describe("createAuthenticate()", () => {
  let open: OpenedAuth;
  let guarded: OpenedAuth;
  let session: string;

  before(async () => {
    open = await openAuth(null);
    guarded = await openAuth(TOKEN);
    session = (await signIn(guarded)).credential;
  });
  after(async () => {
    await open.close();
    await guarded.close();
  });

  async function kindOf(auth: OpenedAuth, headers: Record<string, string>, way?: Way) {
    const { principal, byBearer } = await auth.who(headers, way);
    return principal.kind + (byBearer ? "+bearer" : "");
  }

  it("lets a loopback peer in without a token when no token was given", async () => {
    assert.equal(await kindOf(open, {}), "local");
    assert.equal(await kindOf(open, {}, { host: "[::1]:7878", peer: "::1" }), "local");
    assert.equal(await kindOf(open, { authorization: "Bearer wrong" }), "local");
  });

  it("wants a credential when the peer, the host or a proxy header is not local", async () => {
    assert.equal(await kindOf(open, {}, { peer: "192.168.1.7" }), "anonymous");
    assert.equal(await kindOf(open, {}, { host: "lab.local" }), "anonymous");
    assert.equal(await kindOf(open, {}, { info: null }), "anonymous");
    for (
      const name of [
        "forwarded",
        "via",
        "x-forwarded-for",
        "x-forwarded-proto",
        "tailscale-user-login",
      ]
    ) {
      assert.equal(await kindOf(open, { [name]: "x" }), "anonymous", name);
    }
  });

  it("enforces a token everywhere but on the Unix socket when one was given", async () => {
    assert.equal(await kindOf(guarded, {}), "anonymous");
    assert.equal(await kindOf(guarded, { authorization: "Bearer wrong" }), "anonymous");
    assert.equal(await kindOf(guarded, { authorization: TOKEN }), "anonymous");
    assert.equal(await kindOf(guarded, {}, { transport: "unix" }), "local");
    const proxied = { "x-forwarded-for": "10.0.0.1" };
    assert.equal(await kindOf(guarded, proxied, { transport: "unix" }), "anonymous");
  });

  it("accepts the server's token, other tokens and sessions; tokens by bearer only", async () => {
    const { credential: token } = await guarded.tokens.create("kiosk", "read", null);
    const cookie = (value: string) => ({ cookie: `holon_session_7878=${value}` });
    const bearer = (value: string) => ({ authorization: `bearer ${value}` });
    assert.equal(await kindOf(guarded, bearer(TOKEN)), "token+bearer");
    assert.equal(await kindOf(guarded, bearer(token)), "token+bearer");
    assert.equal(await kindOf(guarded, bearer(session)), "session+bearer");
    assert.equal(await kindOf(guarded, cookie(session)), "session");
    assert.equal(await kindOf(guarded, cookie(TOKEN)), "anonymous");
    assert.equal(await kindOf(guarded, cookie(token)), "anonymous");
  });

  it("gives each credential its scope, also where none is needed", async () => {
    for (const auth of [open, guarded]) {
      for (const [scope, count] of [["read", 2], ["app", 3], ["control", 4]] as const) {
        const { credential } = await auth.tokens.create(`only-${scope}`, scope, null);
        const { principal } = await auth.who({ authorization: `Bearer ${credential}` });
        assert.ok(principal.scopes.has(scope));
        assert.equal(principal.scopes.size, count);
      }
    }
  });

  it("finds its cookie when neighbours are broken or a stale one comes first", async () => {
    const good = `holon_session_7878=${session}`;
    const stale = `holon_session_7878=${"0".repeat(64)}`;
    const noise = Array.from({ length: 60 }, (_, i) => `c${i}="a b"`).join("; ");
    for (const cookie of [`x; =; ${noise}; ${good}`, `${stale}; ${good}`, `${good}; ${stale}`]) {
      assert.equal(await kindOf(guarded, { cookie }), "session");
    }
    const both = { authorization: "Bearer stale", cookie: good };
    assert.equal(await kindOf(guarded, both), "session");
  });

  it("ignores the cookie of a server on another port", async () => {
    assert.equal(await kindOf(guarded, { cookie: `holon_session_9=${session}` }), "anonymous");
  });

  it("puts off who presents too many wrong ones, and never a right one", async () => {
    const from = { peer: "10.0.0.9" };
    const wrong = () => guarded.who({ authorization: "Bearer wrong" }, from);
    for (let i = 0; i < 20; i++) assert.equal((await wrong()).principal.rejection?.waitS, 0);
    for (let i = 0; i < 500; i++) assert.ok((await wrong()).principal.rejection!.waitS > 0);
    assert.equal(await kindOf(guarded, { authorization: `Bearer ${TOKEN}` }, from), "token+bearer");
    assert.equal(
      await kindOf(guarded, { cookie: `holon_session_7878=${session}` }, from),
      "session",
    );
    // Without a credential nothing was tried.
    assert.equal((await guarded.who({}, from)).principal.rejection, undefined);
  });

  it("counts a cookie that has ended once, however often a page sends it", async () => {
    const from = { peer: "10.0.0.10" };
    const cookie = (index: number) => ({ cookie: `holon_session_7878=${index}` });
    for (let i = 0; i < 100; i++) {
      assert.equal((await guarded.who(cookie(1), from)).principal.rejection?.waitS, 0);
    }
    let waitS = 0;
    for (let i = 0; i < 21; i++) {
      waitS = (await guarded.who(cookie(i), from)).principal.rejection!.waitS;
    }
    assert.ok(waitS > 0);
  });
});
