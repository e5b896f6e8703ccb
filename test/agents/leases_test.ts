import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLeases, remainingLease } from "../../src/agents/leases.ts";
import { fakeClock } from "../support/fake_host.ts";

const lease = (messageId: string) => ({ agentId: "main", messageId, leaseId: `l-${messageId}` });

describe("createLeases()", () => {
  it("gives leases that have ended, soonest first", () => {
    const clock = fakeClock();
    const leases = createLeases(clock);
    assert.equal(leases.untilNext(), null);
    leases.hold(lease("a"), 2000);
    leases.hold(lease("b"), 1000);
    leases.hold(lease("c"), 9000);
    assert.equal(leases.untilNext(), 1000);
    assert.deepEqual(leases.due(), []);
    clock.advance(2000);
    assert.deepEqual(leases.due(), [lease("b"), lease("a")]);
    leases.drop("b");
    leases.hold(lease("a"), 5000);
    assert.deepEqual(leases.due(), []);
    assert.equal(leases.untilNext(), 5000);
  });

  it("takes no notice of a wall clock that jumps", () => {
    const clock = fakeClock();
    const leases = createLeases(clock);
    leases.hold(lease("a"), 1000);
    clock.jump(3_600_000);
    assert.deepEqual(leases.due(), []);
    clock.jump(-7_200_000);
    clock.advance(1000);
    assert.deepEqual(leases.due(), [lease("a")]);
  });
});

describe("remainingLease()", () => {
  it("is held between nothing and the whole lease", () => {
    assert.equal(remainingLease(10_000, 5000, 8000), 2000);
    assert.equal(remainingLease(10_000, 5000, 99_000), 0);
    assert.equal(remainingLease(10_000, 5000, -99_000), 5000);
  });
});
