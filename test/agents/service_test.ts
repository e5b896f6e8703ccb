import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { ClaimedMessage, Lease, NewMessage } from "../../src/agents/types.ts";
import { type AgentsUnderTest, openAgents, until } from "./open_agents.ts";
import { fault, newMessage } from "./message_store_contract.ts";

describe("createAgentService()", () => {
  let tested: AgentsUnderTest;

  beforeEach(async () => {
    tested = await openAgents();
    await tested.agents.start();
  });
  afterEach(() => tested.close());

  const enqueue = async (changes: Partial<NewMessage> = {}) =>
    (await tested.agents.enqueue(newMessage(changes))).messageId;
  const claim = (leaseSeconds = 2) =>
    tested.agents.claim({ agentId: "main", limit: 1, leaseSeconds, worker: null });

  async function claimOne(leaseSeconds?: number): Promise<Lease & ClaimedMessage> {
    const [message] = await claim(leaseSeconds);
    assert(message !== undefined);
    return { ...message, messageId: message.id };
  }

  it("a lease that ended holds nothing, and the next holder settles (BR-39)", async () => {
    const id = await enqueue();
    const first = await claimOne();
    const others = await Promise.all(Array.from({ length: 20 }, () => claim()));
    assert.deepEqual(others.flat(), []);
    tested.clock.advance(3000);
    const second = await claimOne();
    assert.equal(second.id, id);
    assert.notEqual(second.leaseId, first.leaseId);
    assert.equal(second.attempts, 2);
    await assert.rejects(tested.agents.acknowledge(first, null), fault("lease_lost"));
    await assert.rejects(tested.agents.extend(first, 10), fault("lease_lost"));
    const failure = { error: "late", output: null, retry: false };
    await assert.rejects(tested.agents.fail(first, failure), fault("lease_lost"));
    assert.equal((await tested.agents.get("main", id)).status, "processing");
    for (let count = 0; count < 2; count++) {
      const message = await tested.agents.acknowledge(second, { answer: 42 });
      assert.deepEqual([message.status, message.result?.stdout], ["succeeded", '{"answer":42}']);
    }
  });

  it("a late answer is refused even before anybody else claims", async () => {
    const id = await enqueue();
    const lease = await claimOne();
    tested.clock.advance(2000);
    await assert.rejects(tested.agents.acknowledge(lease, null), fault("lease_lost"));
    assert.equal((await tested.agents.get("main", id)).status, "queued");
  });

  it("extend() keeps a lease", async () => {
    await enqueue();
    const lease = await claimOne();
    for (let count = 0; count < 5; count++) {
      tested.clock.advance(1900);
      await tested.agents.extend(lease, 2);
    }
    assert.equal((await tested.agents.acknowledge(lease, null)).attempts, 1);
  });

  it("a wall clock that jumps ends no lease and prolongs none", async () => {
    for (const jump of [3_600_000, -7_200_000]) {
      await enqueue();
      const kept = await claimOne();
      tested.clock.jump(jump);
      assert.equal((await tested.agents.acknowledge(kept, null)).status, "succeeded");
      await enqueue();
      const lost = await claimOne();
      tested.clock.jump(jump);
      tested.clock.advance(2000);
      await assert.rejects(tested.agents.acknowledge(lost, null), fault("lease_lost"));
      await tested.agents.acknowledge(await claimOne(), null);
    }
  });

  it("a lease ends by itself when nobody asks", async () => {
    const id = await enqueue();
    await claimOne(1);
    tested.clock.advance(1000);
    await until(async () => (await tested.agents.get("main", id)).status === "queued");
  });

  it("start() takes up the leases of an earlier run, however the clock was set meanwhile", async () => {
    const id = await enqueue();
    const lease = await claimOne(60);
    tested.clock.jump(-3_600_000);
    await tested.crash();
    await tested.agents.start();
    assert.deepEqual(await claim(), []);
    assert.equal((await tested.agents.extend(lease, 60)).status, "processing");
    tested.clock.jump(24 * 3_600_000);
    await tested.crash();
    await tested.agents.start();
    assert.equal((await claimOne(60)).id, id);
    await tested.crash();
    await tested.agents.start();
    tested.clock.advance(60_000);
    assert.equal((await claimOne()).attempts, 3);
  });

  it("fail() is final, or has the message delivered again", async () => {
    const id = await enqueue();
    const failure = { error: "no", output: [1], retry: true };
    assert.equal((await tested.agents.fail(await claimOne(), failure)).status, "queued");
    const lease = await claimOne();
    const message = await tested.agents.fail(lease, { ...failure, retry: false });
    assert.deepEqual([message.status, message.result?.error], ["failed", "no"]);
    assert.equal(message.result?.stdout, "[1]");
    await assert.rejects(tested.agents.cancel("main", id), fault("message_settled"));
  });

  it("retry() makes a new message of what failed or was cancelled, of the same origin", async () => {
    const wanted = { origin: "app:card", requestType: "ping", payload: { n: 1 } } as const;
    const own = await enqueue({ ...wanted, requestId: "r1" });
    await assert.rejects(tested.agents.retry("main", own, null), fault("message_not_failed"));
    await tested.agents.cancel("main", own);
    const { messageId, requestId } = await tested.agents.retry("main", own, "k");
    assert.notEqual(messageId, own);
    assert.equal(requestId, "r1");
    const again = await tested.agents.retry("main", own, "k");
    assert.deepEqual([again.messageId, again.replayed], [messageId, true]);
    const { status, origin, requestType, payload } = await tested.agents.get("main", messageId);
    assert.deepEqual({ origin, requestType, payload }, wanted);
    assert.equal(status, "queued");
    assert.equal((await tested.agents.get("main", own)).status, "cancelled");

    await tested.agents.acknowledge(await claimOne(), null);
    await assert.rejects(tested.agents.retry("main", messageId, null), fault("message_not_failed"));
    const unnamed = await enqueue();
    await tested.agents.cancel("main", unnamed);
    const other = await tested.agents.retry("main", unnamed, null);
    assert.equal(other.requestId, other.messageId);
  });

  it("enqueue() refuses what is outside the rules, and agents that are not there", async () => {
    let deep: unknown = 1;
    for (let level = 0; level < 600; level++) deep = [deep];
    for (
      const wrong of [{ requestType: "a b" }, { requestId: "x".repeat(1025) }, { payload: deep }]
    ) {
      await assert.rejects(tested.agents.enqueue(newMessage(wrong)), fault("bad_request"));
    }
    await assert.rejects(
      tested.agents.enqueue(newMessage({ agentId: "none" })),
      fault("not_found"),
    );
    await assert.rejects(tested.agents.get("main", "msg_none"), fault("not_found"));
    await assert.rejects(tested.agents.get("none", "msg_none"), fault("not_found"));
  });
});
