import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAuthenticate } from "../../src/auth/authenticate.ts";
import { digestOf } from "../../src/auth/credential.ts";
import { createSessionService, SESSION_IDLE_MS } from "../../src/auth/sessions.ts";
import type { ConnectionInfo } from "../../src/host/types.ts";
import { parseHost } from "../../src/http/host_name.ts";
import type { Authenticate } from "../../src/http/route.ts";
import { createMemorySessionStore } from "./memory_session_store.ts";

const TOKEN = "correct horse battery staple";

interface Setup {
  readonly authenticate: Authenticate;
  readonly credential: string;
  readonly advance: (ms: number) => void;
}

async function setup(token: string | null): Promise<Setup> {
  let now = 1_800_000_000_000;
  const clock = { now: () => now, monotonic: () => now };
  const sessions = createSessionService(createMemorySessionStore(), clock);
  const { credential } = await sessions.create(["read", "app", "control"]);
  return {
    authenticate: createAuthenticate({
      tokenDigest: token === null ? null : await digestOf(token),
      sessions,
    }),
    credential,
    advance: (ms) => now += ms,
  };
}

async function kindOf(
  authenticate: Authenticate,
  headers: Record<string, string>,
  options: { host?: string; peer?: string; transport?: "tcp" | "unix"; info?: null } = {},
): Promise<string> {
  const host = options.host ?? "localhost:7878";
  const info: ConnectionInfo = {
    target: "/",
    host,
    transport: options.transport ?? "tcp",
    peer: { address: options.peer ?? "127.0.0.1", port: 9 },
    local: { address: "127.0.0.1", port: 7878 },
    ended: new Promise(() => {}),
  };
  const parsed = parseHost(host);
  assert.ok(parsed !== null);
  // A plain object, since a Request of a browser-like runtime may drop the Cookie header.
  const request = { headers: new Map(Object.entries(headers)) };
  const standIn = {
    headers: {
      get: (name: string) => request.headers.get(name) ?? null,
      keys: () => request.headers.keys(),
    },
  } as unknown as Request;
  const client = { host: parsed, scheme: null, address: info.peer?.address ?? null };
  const identity = await authenticate(standIn, options.info === null ? null : info, client);
  return identity.principal.kind + (identity.byBearer ? "+bearer" : "");
}

describe("createAuthenticate()", () => {
  it("lets a loopback peer in without a token when no token was given", async () => {
    const { authenticate } = await setup(null);
    assert.equal(await kindOf(authenticate, {}), "local");
    assert.equal(await kindOf(authenticate, {}, { host: "[::1]:7878", peer: "::1" }), "local");
  });

  it("wants a credential when the peer, the host or a proxy header is not local", async () => {
    const { authenticate } = await setup(null);
    assert.equal(await kindOf(authenticate, {}, { peer: "192.168.1.7" }), "anonymous");
    assert.equal(await kindOf(authenticate, {}, { host: "lab.local" }), "anonymous");
    assert.equal(await kindOf(authenticate, {}, { info: null }), "anonymous");
    for (
      const name of [
        "forwarded",
        "via",
        "x-forwarded-for",
        "x-forwarded-proto",
        "tailscale-user-login",
      ]
    ) {
      assert.equal(await kindOf(authenticate, { [name]: "x" }), "anonymous", name);
    }
  });

  it("enforces a token everywhere but on the Unix socket when one was given", async () => {
    const { authenticate } = await setup(TOKEN);
    assert.equal(await kindOf(authenticate, {}), "anonymous");
    assert.equal(await kindOf(authenticate, { authorization: "Bearer wrong" }), "anonymous");
    assert.equal(await kindOf(authenticate, { authorization: TOKEN }), "anonymous");
    assert.equal(await kindOf(authenticate, {}, { transport: "unix" }), "local");
  });

  it("accepts a session by cookie or bearer", async () => {
    const { authenticate, credential } = await setup("t0ken");
    assert.equal(await kindOf(authenticate, { authorization: "bearer t0ken" }), "token+bearer");
    assert.equal(
      await kindOf(authenticate, { cookie: `holon_session_7878=${credential}` }),
      "session",
    );
    assert.equal(
      await kindOf(authenticate, { authorization: `Bearer ${credential}` }),
      "session+bearer",
    );
  });

  it("finds its cookie when neighbours are broken or a stale one comes first", async () => {
    const { authenticate, credential } = await setup("t0ken");
    const good = `holon_session_7878=${credential}`;
    const stale = `holon_session_7878=${"0".repeat(64)}`;
    const noise = Array.from({ length: 60 }, (_, i) => `c${i}="a b"`).join("; ");
    for (const cookie of [`x; =; ${noise}; ${good}`, `${stale}; ${good}`, `${good}; ${stale}`]) {
      assert.equal(await kindOf(authenticate, { cookie }), "session");
    }
    assert.equal(
      await kindOf(authenticate, { authorization: "Bearer stale", cookie: good }),
      "session",
    );
  });

  it("ignores the cookie of a server on another port", async () => {
    const { authenticate, credential } = await setup("t0ken");
    assert.equal(
      await kindOf(authenticate, { cookie: `holon_session_9=${credential}` }),
      "anonymous",
    );
  });

  it("ends a session when it was idle for too long", async () => {
    const { authenticate, credential, advance } = await setup("t0ken");
    const cookie = { cookie: `holon_session_7878=${credential}` };
    advance(SESSION_IDLE_MS - 1);
    assert.equal(await kindOf(authenticate, cookie), "session");
    advance(SESSION_IDLE_MS - 1);
    assert.equal(await kindOf(authenticate, cookie), "session");
    advance(SESSION_IDLE_MS);
    assert.equal(await kindOf(authenticate, cookie), "anonymous");
  });
});
