import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { DAY, HOUR, openAuth, type OpenedAuth, signIn } from "./open_auth.ts";

describe("sessions", () => {
  let auth: OpenedAuth;
  beforeEach(async () => void (auth = await openAuth("the token of the server")));
  afterEach(() => auth.close());

  const isIn = async (credential: string) =>
    (await auth.who({ authorization: `Bearer ${credential}` })).principal.kind === "session";

  it("end when they were idle for too long, and not while they are used", async () => {
    const { credential } = await signIn(auth);
    for (let day = 0; day < 20; day += 6) {
      auth.advance(6 * DAY);
      assert.ok(await isIn(credential));
    }
    auth.advance(7 * DAY);
    assert.ok(!await isIn(credential));
  });

  it("end in all, where the settings say so, from the next request on", async () => {
    const { credential, session } = await signIn(auth);
    auth.advance(3 * DAY);
    assert.equal(auth.sessions.endOf(session), null);
    auth.rules = { idleMs: DAY, absoluteMs: 4 * DAY };
    assert.ok(!await isIn(credential), "it was idle for longer than is allowed now");

    const next = await signIn(auth);
    for (let day = 0; day < 7; day++) {
      auth.advance(DAY / 2);
      assert.ok(await isIn(next.credential));
    }
    auth.advance(DAY / 2);
    assert.ok(!await isIn(next.credential));
  });

  it("stay ended when the clock is set back", async () => {
    const { credential } = await signIn(auth);
    auth.skew(8 * DAY);
    assert.ok(!await isIn(credential));
    auth.skew(-8 * DAY);
    assert.ok(!await isIn(credential));
    auth = await auth.reopen();
    assert.ok(!await isIn(credential));
  });

  it("count anew when the clock was set back, and last no longer for it", async () => {
    auth.rules = { idleMs: 2 * HOUR, absoluteMs: DAY };
    auth.skew(DAY);
    const { credential } = await signIn(auth);
    auth.skew(-DAY);
    assert.ok(await isIn(credential), "nobody is locked out");
    assert.equal(auth.notices.length, 1);
    await signIn(auth);
    assert.equal(auth.sessions.list().length, 2);
    for (let hour = 1; hour < 24; hour++) {
      auth.advance(HOUR);
      assert.ok(await isIn(credential), String(hour));
    }
    auth.advance(HOUR);
    assert.ok(!await isIn(credential));
    assert.equal(auth.notices.length, 1);
  });

  it("are listed, and end one by one or all but one", async () => {
    const [one, two, three] = [await signIn(auth), await signIn(auth), await signIn(auth)];
    auth.advance(2 * 60_000);
    assert.ok(await isIn(two.credential));
    const ids = () => auth.sessions.list().map(({ id }) => id);
    assert.equal(await auth.sessions.revoke(one.session.id), true);
    assert.deepEqual(ids(), [two.session.id, three.session.id]);
    assert.equal(await auth.sessions.revoke(one.session.id), false);
    assert.ok(!await isIn(one.credential));
    assert.equal(await auth.sessions.revokeOthers(two.session.id), 1);
    assert.ok(!await isIn(three.credential));
    assert.deepEqual(ids(), [two.session.id]);
  });

  it("are kept over a restart, and end with the server's token that made them", async () => {
    const ended = await auth.sessions.create({
      scope: "control",
      expiresAt: null,
      madeBy: "static:another",
      method: "token",
      userAgent: "x".repeat(1_000),
    });
    assert.equal(ended.session.userAgent?.length, 256);
    assert.ok(!await isIn(ended.credential));
    const { credential } = await signIn(auth);
    auth = await auth.reopen();
    assert.ok(await isIn(credential));
  });

  it("are a thousand at most: those that were idle longest end", async () => {
    const first = await signIn(auth);
    auth.advance(1);
    const all = await Promise.all(Array.from({ length: 1_000 }, () => signIn(auth)));
    assert.ok(!await isIn(first.credential));
    assert.ok(await isIn(all[0]!.credential));
    assert.equal(auth.sessions.list().length, 1_000);
  });
});
