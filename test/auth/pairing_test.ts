import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createPairing, PAIRING_MS, type PairingService } from "../../src/auth/pairing.ts";
import { type KnownReach, pairingAddress } from "../../src/auth/pairing_address.ts";
import { parseHost } from "../../src/http/host_name.ts";

const BY = { by: "local", sessionId: null, tokenId: null } as const;

describe("createPairing()", () => {
  let now: number;
  let pairing: PairingService;
  beforeEach(() => {
    now = 0;
    pairing = createPairing({ monotonic: () => now });
  });

  it("gives tickets that are taken once, also by two at a time", async () => {
    const { id, ticket } = await pairing.issue("app", BY);
    assert.match(ticket, /^[0-9a-f]{64}$/);
    assert.equal(pairing.stateOf(id)?.state, "waiting");
    const taken = await Promise.all([pairing.take(ticket), pairing.take(ticket)]);
    assert.deepEqual(taken.map((one) => one?.scope ?? null).sort(), ["app", null]);
    pairing.noteUse(id, "Safari on iPhone");
    assert.deepEqual(pairing.stateOf(id), { state: "used", client: "Safari on iPhone" });
    assert.equal(await pairing.take("0".repeat(64)), null);
    assert.equal(pairing.stateOf("none"), null);
  });

  it("lets them end after exactly two minutes", async () => {
    const { id, ticket } = await pairing.issue("app", BY);
    now = PAIRING_MS - 1;
    assert.deepEqual(pairing.stateOf(id), { state: "waiting", leftMs: 1 });
    now = PAIRING_MS;
    assert.equal(await pairing.take(ticket), null);
    assert.deepEqual(pairing.stateOf(id), { state: "expired" });
  });

  it("lets 128 wait at a time", async () => {
    const [first] = await Promise.all(Array.from({ length: 128 }, () => pairing.issue("app", BY)));
    await assert.rejects(pairing.issue("app", BY), { code: "too_many_tickets" });
    pairing.cancel(first!.id);
    assert.equal(await pairing.take(first!.ticket), null);
    await pairing.issue("app", BY);
    now = PAIRING_MS;
    await pairing.issue("app", BY);
  });
});

describe("pairingAddress()", () => {
  const of = (
    host: string,
    reach: KnownReach | null,
    scheme: "http" | "https" | null = null,
    required = true,
  ) => pairingAddress({ host: parseHost(host)!, scheme, address: null }, reach, required);
  const listen = (...addresses: string[]) => ({ listen: addresses, advertise_url: null });

  it("is the advertised one, where there is one", () => {
    const reach = { listen: ["127.0.0.1:7878"], advertise_url: "https://lab.example/" };
    const { base, encrypted, notes } = of("localhost:7878", reach);
    assert.deepEqual([base, encrypted, notes], ["https://lab.example", true, []]);
  });

  it("is the one that the client came to, else one that the server listens on", () => {
    const reach = listen("192.168.1.10:7878", "127.0.0.1:7878");
    assert.equal(of("lab.local:7878", reach).base, "http://lab.local:7878");
    assert.equal(of("lab.local", reach, "https").base, "https://lab.local");
    assert.equal(of("[fd00::1]:7878", reach).base, "http://[fd00::1]:7878");
    assert.equal(of("localhost", reach).base, "http://192.168.1.10:7878");
    assert.match(of("localhost", reach).notes.join(), /plain HTTP.*anyone.*read along/);
  });

  it("says that a phone reaches no loopback address, and what to start", () => {
    for (const host of ["localhost", "127.0.0.1:7878", "app.localhost:7878"]) {
      const { reachable, notes } = of(host, listen("127.0.0.1:7878"));
      assert.equal(reachable, false);
      assert.match(notes.join(), /a phone can't.*--access lan/);
    }
    assert.match(of("localhost", listen("0.0.0.0:7878")).notes.join(), /--advertise/);
    assert.match(
      of("localhost", listen("127.0.0.1:1"), null, false).notes[0]!,
      /asks for no token/,
    );
  });
});
