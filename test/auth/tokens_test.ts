import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { tempDirectory } from "../support/temp_home.ts";
import { DAY, openAuth, type OpenedAuth } from "./open_auth.ts";

describe("server tokens", () => {
  let directory: ReturnType<typeof tempDirectory>;
  let auth: OpenedAuth;
  beforeEach(async () => {
    directory = tempDirectory();
    auth = await openAuth("the token of the server", directory);
  });
  afterEach(() => auth.close());

  const isIn = async (credential: string) =>
    (await auth.who({ authorization: `Bearer ${credential}` })).principal.kind !== "anonymous";

  async function sessionOf(name: string) {
    const token = auth.tokens.list().find((other) => other.name === name)!;
    const { id, scope, expiresAt } = token;
    return await auth.sessions.create({
      scope,
      expiresAt,
      madeBy: `token:${id}`,
      method: "token",
      userAgent: null,
    });
  }

  it("are kept as digests, over a restart", async () => {
    const { credential, token } = await auth.tokens.create("ci", "app", null);
    assert.match(credential, /^holon_[0-9a-f]{64}$/);
    assert.equal(token.expiresAt, null);
    assert.ok(await isIn(credential));
    auth = await auth.reopen();
    assert.ok(await isIn(credential));
    for (const file of ["holon.db", "holon.db-wal"]) {
      assert.ok(!readFileSync(join(directory.path, file)).includes(credential.slice(6)), file);
    }
  });

  it("have names of their own, and are a hundred at most", async () => {
    await auth.tokens.create("t0", "read", null);
    await assert.rejects(auth.tokens.create("t0", "app", null), { code: "token_exists" });
    for (let i = 1; i < 100; i++) await auth.tokens.create(`t${i}`, "read", null);
    await assert.rejects(auth.tokens.create("more", "read", null), { code: "too_many_tokens" });
    await auth.tokens.revoke("t7");
    await auth.tokens.create("more", "read", null);
  });

  it("end by the clock, and with them what they made; a clock set back changes nothing", async () => {
    const { credential } = await auth.tokens.create("guest", "app", 2 * DAY);
    const session = await sessionOf("guest");
    auth.advance(2 * DAY - 1);
    assert.ok(await isIn(credential) && await isIn(session.credential));
    auth.advance(1);
    assert.ok(!await isIn(credential) && !await isIn(session.credential));
    auth.skew(-DAY);
    assert.ok(!await isIn(credential) && !await isIn(session.credential));
    auth = await auth.reopen();
    assert.ok(!await isIn(credential) && !await isIn(session.credential));
    assert.equal(auth.tokens.isLive(auth.tokens.list()[0]!), false);
  });

  it("are good for no longer than was said, though the clock was ahead when they were made", async () => {
    auth.skew(30 * DAY);
    const { credential } = await auth.tokens.create("guest", "app", 2 * DAY);
    const session = await sessionOf("guest");
    auth.skew(-30 * DAY);
    assert.ok(await isIn(credential) && await isIn(session.credential));
    auth.advance(2 * DAY - 1);
    assert.ok(await isIn(credential) && await isIn(session.credential));
    auth.advance(1);
    assert.ok(!await isIn(credential) && !await isIn(session.credential));
  });

  it("end at once when they are revoked, with what they made", async () => {
    const { credential } = await auth.tokens.create("guest", "app", null);
    const session = await sessionOf("guest");
    const { principal } = await auth.who({ authorization: `Bearer ${credential}` });
    const other = await auth.who({ authorization: `Bearer ${session.credential}` });
    const told: string[] = [];
    principal.whenEnded!(() => told.push("token"));
    other.principal.whenEnded!(() => told.push("session"));
    other.principal.whenEnded!(() => told.push("left"))();
    assert.equal(await auth.tokens.revoke("guest"), 1);
    assert.deepEqual(told, ["token", "session"]);
    assert.ok(!await isIn(credential) && !await isIn(session.credential));
    // What began to wait too late is told at once.
    principal.whenEnded!(() => told.push("late"));
    assert.equal(told.at(-1), "late");
    await assert.rejects(auth.tokens.revoke("guest"), { code: "not_found" });
  });

  it("get another secret that is good for as long as the old one was", async () => {
    const { credential, token } = await auth.tokens.create("guest", "app", 2 * DAY);
    const session = await sessionOf("guest");
    auth.advance(DAY);
    const rotated = await auth.tokens.rotate("guest", undefined);
    assert.equal(rotated.token.expiresAt, token.expiresAt! + DAY);
    assert.ok(!await isIn(credential) && !await isIn(session.credential));
    assert.ok(await isIn(rotated.credential));
    auth.advance(2 * DAY);
    assert.ok(!await isIn(rotated.credential));
    const forever = await auth.tokens.rotate("guest", null);
    auth.advance(900 * DAY);
    assert.ok(await isIn(forever.credential));
    await assert.rejects(auth.tokens.rotate("nobody", null), { code: "not_found" });
  });
});
