import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createAttempts } from "../../src/auth/attempts.ts";

function setup() {
  let now = 0;
  const notices: string[] = [];
  const attempts = createAttempts({
    clock: { monotonic: () => now },
    onNotice: (sentence) => notices.push(sentence),
  });
  return { attempts, notices, advance: (ms: number) => void (now += ms) };
}

describe("createAttempts()", () => {
  it("puts a client off after a number, until the time that it tells is over", () => {
    const { attempts, advance } = setup();
    for (let i = 0; i < 20; i++) assert.equal(attempts.note("10.0.0.1"), 0);
    const waitS = attempts.note("10.0.0.1");
    assert.equal(waitS, 3);
    assert.equal(attempts.note("10.0.0.2"), 0, "another client");
    advance(waitS * 1_000);
    assert.equal(attempts.note("10.0.0.1"), 0);
    assert.equal(attempts.note("10.0.0.1"), 3);
    advance(3_600_000);
    for (let i = 0; i < 20; i++) assert.equal(attempts.note("10.0.0.1"), 0);
    assert.ok(attempts.note("10.0.0.1") > 0);
  });

  it("puts all off when they are many together", () => {
    const { attempts, advance } = setup();
    for (let i = 0; i < 200; i++) assert.equal(attempts.note(`10.0.1.${i}`), 0);
    assert.equal(attempts.note("10.0.2.1"), 1);
    advance(100);
    assert.equal(attempts.note("10.0.2.2"), 0);
  });

  it("doesn't count those of one client against all", () => {
    const { attempts } = setup();
    for (let i = 0; i < 1_000; i++) attempts.note("10.0.0.1");
    assert.equal(attempts.note("10.0.0.2"), 0);
  });

  it("takes the addresses of one IPv6 network for one client, and mapped ones for IPv4", () => {
    const { attempts } = setup();
    for (const address of ["2001:db8:1:2::1", "2001:DB8:1:2:ffff::9", "2001:db8:1:2:0:0:0:7"]) {
      attempts.note(address);
    }
    assert.equal(attempts.clients, 1);
    for (const address of ["2001:db8:1:3::1", "::1", "fe80::1", "2001:db8::5", null]) {
      attempts.note(address);
    }
    assert.equal(attempts.clients, 6);
    attempts.note("::ffff:10.0.0.1");
    attempts.note("10.0.0.1");
    assert.equal(attempts.clients, 7);
  });

  it("remembers a bounded number of clients", () => {
    const { attempts } = setup();
    for (let i = 0; i < 10_000; i++) attempts.note(`10.${i >> 8}.${i & 255}.1`);
    assert.equal(attempts.clients, 4_096);
  });

  it("tells an operator once a minute", () => {
    const { attempts, notices, advance } = setup();
    for (let i = 0; i < 500; i++) attempts.note("10.0.0.1");
    assert.equal(notices.length, 1);
    assert.match(notices[0]!, /10\.0\.0\.1/);
    advance(60_000);
    for (let i = 0; i < 500; i++) attempts.note("10.0.0.1");
    assert.equal(notices.length, 2);
  });
});
