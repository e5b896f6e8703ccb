import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { decodeJwt, SignJWT, UnsecuredJWT } from "jose";
import { createTickets, TICKET_SECONDS } from "../../src/origins/tickets.ts";
import type { Grant } from "../../src/origins/types.ts";
import { fakeClock } from "../support/fake_host.ts";

const GRANT: Grant = {
  agentId: "main",
  appId: "card",
  by: "session",
  sessionId: "s1",
  tokenId: null,
};
const HERE = "card-0123abcd.localhost:7878";

describe("createTickets()", () => {
  it("grants what was issued, once", async () => {
    const tickets = createTickets(fakeClock());
    const ticket = await tickets.issue(GRANT, HERE);
    assert.match(ticket, /^[\w-]+\.[\w-]+\.[\w-]+$/);
    assert.deepEqual(await tickets.redeem(ticket, HERE), GRANT);
    assert.equal(await tickets.redeem(ticket, HERE), null);
  });

  it("lets one of those win that bring a ticket at once", async () => {
    const tickets = createTickets(fakeClock());
    const ticket = await tickets.issue(GRANT, HERE);
    const grants = await Promise.all(
      Array.from({ length: 8 }, () => tickets.redeem(ticket, HERE)),
    );
    assert.equal(grants.filter((grant) => grant !== null).length, 1);
  });

  it("grants nothing when the time is over, by either clock", async () => {
    assert.ok(TICKET_SECONDS <= 60);
    const clock = fakeClock();
    const tickets = createTickets(clock);
    const first = await tickets.issue(GRANT, HERE);
    clock.advance(TICKET_SECONDS * 1000);
    assert.equal(await tickets.redeem(first, HERE), null);
    // A clock that is set back does not make it good for longer.
    const second = await tickets.issue(GRANT, HERE);
    clock.advance(TICKET_SECONDS * 1000);
    clock.jump(-TICKET_SECONDS * 1000);
    assert.equal(await tickets.redeem(second, HERE), null);
  });

  it("grants nothing at another host or port", async () => {
    const tickets = createTickets(fakeClock());
    const ticket = await tickets.issue(GRANT, HERE);
    for (const there of ["card-0123abcd.localhost:7879", "card-0123abce.localhost:7878", ""]) {
      assert.equal(await tickets.redeem(ticket, there), null);
    }
    // A wrong host doesn't use it up for the right one.
    assert.deepEqual(await tickets.redeem(ticket, HERE), GRANT);
  });

  it("grants nothing for what another server signed", async () => {
    const clock = fakeClock();
    const ticket = await createTickets(clock).issue(GRANT, HERE);
    assert.equal(await createTickets(clock).redeem(ticket, HERE), null);
  });

  it("grants nothing for what was altered or made up", async () => {
    const clock = fakeClock();
    const tickets = createTickets(clock);
    const ticket = await tickets.issue(GRANT, HERE);
    const claims = { ...decodeJwt(ticket), app: "bank" };
    const [head, , signature] = ticket.split(".");
    const body = new UnsecuredJWT(claims).encode().split(".")[1];
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", typ: "holon-ticket+jwt" })
      .sign(new Uint8Array(32));
    for (
      const bad of [
        `${head}.${body}.${signature}`,
        `${head}.${body}.`,
        new UnsecuredJWT(claims).encode(),
        forged,
        ticket.slice(0, -4),
        "",
        "a.b.c",
        "x".repeat(5_000),
      ]
    ) assert.equal(await tickets.redeem(bad, HERE), null);
    assert.deepEqual(await tickets.redeem(ticket, HERE), GRANT);
  });
});
