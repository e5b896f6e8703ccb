import assert from "node:assert/strict";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createHolon, type Holon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import type { Listener } from "../../src/host/types.ts";
import { tempDirectory } from "../support/temp_home.ts";
import { run } from "./memory_io.ts";

const TOKEN = "a token that is long enough";

describe("holon token and holon sessions", () => {
  const directory = tempDirectory();
  const home = realpathSync(directory.path);
  let holon: Holon;
  let listener: Listener;

  before(async () => {
    const host = createHost();
    for (const name of ["agents", "run"]) mkdirSync(join(home, name), { mode: 0o700 });
    holon = await createHolon({ host, home, token: TOKEN });
    const address = { transport: "unix", path: join(home, "run", "holon.sock") } as const;
    listener = await host.listen({ address, fetch: holon.fetch });
  });
  after(async () => {
    await listener.close(0);
    await holon.close();
    directory.remove();
  });

  const cli = (...args: string[]) => run(args, { home });

  async function statusWith(credential: string, path = "/api/agents"): Promise<number> {
    const headers = { authorization: `Bearer ${credential}` };
    return (await holon.fetch(new Request(`http://localhost${path}`, { headers }))).status;
  }

  async function signIn(credential: string): Promise<void> {
    const response = await holon.fetch(
      new Request("http://localhost/api/auth/session/exchange", {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "curl/8.14.1" },
        body: JSON.stringify({ credential }),
      }),
    );
    assert.equal(response.status, 200);
  }

  it("makes a token that is printed once, by itself on stdout", async () => {
    const { code, out, err } = await cli("token", "create", "kiosk", "--expires", "30d");
    assert.equal(code, 0, err);
    assert.match(out, /^holon_[0-9a-f]{64}\n$/);
    assert.match(err, /kiosk has the scope read and expires at \d{4}-/);
    assert.equal(await statusWith(out.trim()), 200);
    assert.equal(await statusWith(out.trim(), "/api/auth/tokens"), 403);
    const list = await cli("token", "list");
    assert.match(list.out, /^kiosk +read +live/m);
    assert.ok(!list.out.includes("holon_"));
  });

  it("makes one with another scope, as JSON", async () => {
    const { out } = await cli("token", "create", "ops", "--scope", "control", "--json");
    const { token, credential } = JSON.parse(out);
    assert.deepEqual([token.name, token.scope, token.expires_at], ["ops", "control", null]);
    assert.equal(await statusWith(credential, "/api/auth/tokens"), 200);
  });

  it("rotates and revokes", async () => {
    const first = (await cli("token", "create", "guest", "--scope", "app")).out.trim();
    const second = (await cli("token", "rotate", "guest", "--expires", "12h")).out.trim();
    assert.equal(await statusWith(first), 401);
    assert.equal(await statusWith(second), 200);
    await signIn(second);
    const { code, out } = await cli("token", "revoke", "guest");
    assert.deepEqual([code, out], [0, "The token guest has ended, and with it a session.\n"]);
    assert.equal(await statusWith(second), 401);
    const again = await cli("token", "revoke", "guest");
    assert.equal(again.code, 1);
    assert.match(again.err, /no token with the name "guest"/);
  });

  it("says what is wrong with a name, a scope or a time", async () => {
    const named = await cli("token", "create", "a b");
    assert.equal(named.code, 2);
    assert.match(named.err, /"a b" is no name.*\n.*letters, digits/);
    assert.equal((await cli("token", "create", "x", "--scope", "all")).code, 2);
    const { code, err } = await cli("token", "create", "x", "--expires", "soon");
    assert.equal(code, 2);
    assert.match(err, /30d, 12h or 90m/);
  });

  it("lists who is signed in, and signs them out", async () => {
    assert.equal((await cli("sessions", "list")).out, "Nobody is signed in.\n");
    await signIn(TOKEN);
    await signIn(TOKEN);
    await signIn(TOKEN);
    const [one] = JSON.parse((await cli("sessions", "list", "--json")).out);
    assert.deepEqual([one.client, one.scope, one.method], ["curl", "control", "token"]);
    assert.match(
      (await cli("sessions", "list")).out,
      new RegExp(`^${one.id.slice(0, 8)} +curl`, "m"),
    );
    assert.equal((await cli("sessions", "revoke", one.id.slice(0, 8))).code, 0);
    const again = await cli("sessions", "revoke", one.id);
    assert.match(again.err, /no such session/);
    assert.equal((await cli("sessions", "revoke")).code, 2);
    const all = await cli("sessions", "revoke", "--all");
    assert.equal(all.out, "2 sessions have ended.\n");
  });
});
