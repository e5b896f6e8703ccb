/**
 * What every implementation of a message store has to do.
 *
 * @module
 */

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { MessageStore, QueueLimits, Retention } from "../../src/agents/store.ts";
import type { Lease, MessageOrigin, NewMessage } from "../../src/agents/types.ts";
import { Fault, type FaultCode } from "../../src/fault.ts";
import { type FakeClock, fakeClock } from "../support/fake_host.ts";

/** What a store under test is made with. */
export interface StoreSettings {
  readonly now: () => number;
  readonly limits: QueueLimits;
  readonly retention: () => Retention;
}

/** A store under test. */
export interface StoreUnderTest {
  readonly store: MessageStore;
  /** Types of the events of an agent so far, each with its message's id. */
  events(agentId: string): readonly string[];
  /** The same store after the process was started again. */
  reopen(): Promise<MessageStore>;
  close(): Promise<void>;
}

/** Makes a message. */
export function newMessage(overrides: Partial<NewMessage> = {}): NewMessage {
  return {
    agentId: "main",
    origin: "app:card",
    requestType: "ping",
    requestId: null,
    payload: { n: 1 },
    idempotencyKey: null,
    ...overrides,
  };
}

/** The refusal with a code. */
export function fault(code: FaultCode): (error: unknown) => boolean {
  return (error) => {
    assert(error instanceof Fault, String(error));
    assert.equal(error.code, code);
    return true;
  };
}

const RESULT = { exitCode: 0, error: null, stdout: "out", stderr: "", truncated: false };
const DAY_MS = 24 * 3600 * 1000;

/** Describes a message store; `open` makes an empty one. */
export function describeMessageStore(
  name: string,
  open: (settings: StoreSettings) => StoreUnderTest,
): void {
  describe(name, () => {
    let clock: FakeClock;
    let retention: Retention;
    let tested: StoreUnderTest;
    let store: MessageStore;

    beforeEach(() => {
      clock = fakeClock();
      retention = { days: 30, count: 10_000 };
      const limits = { appMessages: 5, appBytes: 4000, agentMessages: 8, agentBytes: 6000 };
      tested = open({ now: clock.now, limits, retention: () => retention });
      store = tested.store;
    });

    afterEach(() => tested.close());

    const enqueue = async (overrides: Partial<NewMessage> = {}) =>
      (await store.enqueue(newMessage(overrides))).messageId;

    const take = async (limit = 1) =>
      await store.take({ agentId: "main", holder: "worker", limit, leaseMs: 5000, worker: "w" });

    async function takeOne(): Promise<Lease> {
      const [message] = await take();
      assert(message !== undefined);
      return { agentId: "main", messageId: message.id, leaseId: message.leaseId };
    }

    const statusOf = async (id: string) => (await store.get("main", id))?.status;

    it("enqueue() stores a message with all of its fields and one event", async () => {
      const { messageId, requestId, replayed } = await store.enqueue(
        newMessage({ requestId: "r1", payload: { deep: [1, "ü", null] } }),
      );
      assert.match(messageId, /^msg_[0-9a-f-]{36}$/);
      assert.deepEqual([requestId, replayed], ["r1", false]);
      assert.deepEqual(await store.get("main", messageId), {
        id: messageId,
        agentId: "main",
        origin: "app:card",
        status: "queued",
        requestType: "ping",
        requestId: "r1",
        payload: { deep: [1, "ü", null] },
        attempts: 0,
        maxAttempts: 3,
        createdAt: "2026-01-01T00:00:00.000Z",
        startedAt: null,
        finishedAt: null,
        leaseExpiresAt: null,
        result: null,
        trace: null,
      });
      assert.deepEqual(tested.events("main"), [`message_enqueued ${messageId}`]);
      assert.equal(await store.get("other", messageId), undefined);
    });

    it("enqueue() keeps the trace of whoever sent the message", async () => {
      const trace = {
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        tracestate: "a=1",
      };
      const { messageId } = await store.enqueue(newMessage({ trace }));
      store = await tested.reopen();
      assert.deepEqual((await store.get("main", messageId))?.trace, trace);
    });

    it("enqueue() carries out requests that share a key once (BR-37)", async () => {
      const keyed = newMessage({ idempotencyKey: "k", payload: { a: 1, b: { c: 2, d: 3 } } });
      const answers = await Promise.all(Array.from({ length: 30 }, () => store.enqueue(keyed)));
      assert.equal(new Set(answers.map((answer) => answer.messageId)).size, 1);
      assert.equal(new Set(answers.map((answer) => answer.requestId)).size, 1);
      assert.equal(answers.filter((answer) => !answer.replayed).length, 1);
      assert.equal(tested.events("main").length, 1);
      store = await tested.reopen();
      const reordered = { ...keyed, payload: { b: { d: 3, c: 2 }, a: 1 } };
      for (const again of [keyed, reordered]) {
        const answer = await store.enqueue(again);
        assert.deepEqual([answer.messageId, answer.replayed], [answers[0]?.messageId, true]);
      }
      for (const other of [{ payload: 2 }, { requestType: "pong" }, { requestId: "r" }]) {
        await assert.rejects(store.enqueue({ ...keyed, ...other }), fault("idempotency_conflict"));
      }
      for (const apart of [{ origin: "app:idem2" as const }, { agentId: "other" }]) {
        assert.equal((await store.enqueue({ ...keyed, ...apart })).replayed, false);
      }
    });

    it("enqueue() does not take a request id for a key", async () => {
      const request = newMessage({ requestId: "same" });
      const answers = await Promise.all(Array.from({ length: 5 }, () => store.enqueue(request)));
      assert.equal(new Set(answers.map((answer) => answer.messageId)).size, 5);
    });

    it("enqueue() forgets a key after 24 hours", async () => {
      const first = await enqueue({ idempotencyKey: "k" });
      clock.advance(DAY_MS - 1);
      assert.equal(await enqueue({ idempotencyKey: "k" }), first);
      clock.advance(1);
      assert.notEqual(await enqueue({ idempotencyKey: "k", payload: "new" }), first);
    });

    it("enqueue() bounds what waits for an app and for an agent", async () => {
      for (let count = 0; count < 5; count++) await enqueue({ origin: "app:a" });
      await assert.rejects(enqueue({ origin: "app:a" }), fault("app_queue_full"));
      for (let count = 0; count < 3; count++) await enqueue({ origin: "operator" });
      await assert.rejects(enqueue({ origin: "app:b" }), fault("agent_queue_full"));
      await enqueue({ agentId: "other" });
      await takeOne();
      await enqueue({ origin: "app:b" });
      assert.equal(store.counts("main").queued, 8);
    });

    it("enqueue() bounds the bytes that wait", async () => {
      const payload = "x".repeat(1700);
      await enqueue({ payload, origin: "app:a" });
      await enqueue({ payload, origin: "app:a" });
      await assert.rejects(enqueue({ payload, origin: "app:a" }), fault("app_queue_full"));
      await enqueue({ payload, origin: "operator" });
      await assert.rejects(enqueue({ payload, origin: "operator" }), fault("agent_queue_full"));
    });

    it("enqueue() leaves a key free when the queue was full", async () => {
      for (let count = 0; count < 5; count++) await enqueue();
      await assert.rejects(enqueue({ idempotencyKey: "k" }), fault("app_queue_full"));
      const { messageId, leaseId } = await takeOne();
      await store.settle({ agentId: "main", messageId, leaseId }, {
        status: "succeeded",
        result: RESULT,
      });
      const answer = await store.enqueue(newMessage({ idempotencyKey: "k" }));
      assert.equal(answer.replayed, false);
    });

    it("take() gives a message to one of many that ask at once", async () => {
      const id = await enqueue();
      const takes = await Promise.all(Array.from({ length: 20 }, () => take()));
      assert.deepEqual(takes.flat().map((message) => message.id), [id]);
      const [message] = takes.flat();
      assert.equal(message?.status, "processing");
      assert.equal(message?.attempts, 1);
      assert.equal(message?.leaseMs, 5000);
      assert.equal(message?.leaseExpiresAt, "2026-01-01T00:00:05.000Z");
      assert.deepEqual(tested.events("main"), [
        `message_enqueued ${id}`,
        `message_processing_started ${id}`,
      ]);
    });

    it("take() goes round the origins, oldest first in each", async () => {
      const ids = new Map<string, string>();
      const plan: MessageOrigin[] = ["app:a", "app:a", "app:a", "app:b", "operator", "app:b"];
      for (const [index, origin] of plan.entries()) ids.set(await enqueue({ origin }), `${index}`);
      const order = [];
      for (let count = 0; count < 3; count++) order.push(...await take());
      order.push(...await take(10));
      assert.deepEqual(order.map(({ id }) => ids.get(id)), ["0", "3", "4", "1", "5", "2"]);
    });

    it("settle() stores the outcome once, and again gives the same answer", async () => {
      const id = await enqueue();
      const lease = await takeOne();
      clock.advance(1000);
      for (let count = 0; count < 2; count++) {
        const message = await store.settle(lease, { status: "succeeded", result: RESULT });
        assert.equal(message.status, "succeeded");
        assert.equal(message.finishedAt, "2026-01-01T00:00:01.000Z");
        assert.deepEqual(message.result, RESULT);
      }
      await assert.rejects(
        store.settle(lease, { status: "failed", result: RESULT }),
        fault("message_settled"),
      );
      assert.deepEqual(tested.events("main").slice(2), [`message_succeeded ${id}`]);
    });

    it("settle() refuses whoever does not hold the lease, and changes nothing", async () => {
      const id = await enqueue();
      const lease = await takeOne();
      const forged = { ...lease, leaseId: "lease_other" };
      const settlement = { status: "succeeded", result: RESULT } as const;
      await assert.rejects(store.settle(forged, settlement), fault("lease_lost"));
      await assert.rejects(store.extend(forged, 1000), fault("lease_lost"));
      await assert.rejects(
        store.settle({ ...lease, agentId: "other" }, settlement),
        fault("not_found"),
      );
      assert.equal(await statusOf(id), "processing");
      await store.settle(lease, { status: "retry", result: RESULT });
      const second = await takeOne();
      assert.notEqual(second.leaseId, lease.leaseId);
      await assert.rejects(store.settle(lease, settlement), fault("lease_lost"));
      await store.settle(second, settlement);
      await assert.rejects(store.settle(lease, settlement), fault("lease_lost"));
    });

    it("settle() delivers again until the last attempt, then fails", async () => {
      const id = await enqueue();
      const failed = { ...RESULT, exitCode: 1, error: "no" };
      for (const expected of ["queued", "queued", "failed"] as const) {
        const message = await store.settle(await takeOne(), { status: "retry", result: failed });
        assert.equal(message.status, expected);
      }
      assert.deepEqual(await take(), []);
      assert.deepEqual((await store.get("main", id))?.result, failed);
      const events = tested.events("main").map((event) => event.split(" ")[0]?.slice(8));
      const attempt = ["processing_started", "requeued"];
      assert.deepEqual(events, [
        "enqueued",
        ...attempt,
        ...attempt,
        "processing_started",
        "failed",
      ]);
    });

    it("settle() does not count an attempt that was returned", async () => {
      const id = await enqueue();
      for (let count = 0; count < 5; count++) {
        await store.settle(await takeOne(), { status: "returned" });
      }
      const message = await store.get("main", id);
      assert.deepEqual([message?.status, message?.attempts], ["queued", 0]);
    });

    it("a message that goes back keeps its place", async () => {
      const first = await enqueue();
      await enqueue();
      await store.settle(await takeOne(), { status: "returned" });
      assert.equal((await takeOne()).messageId, first);
    });

    it("extend() makes the lease last from now", async () => {
      await enqueue();
      const lease = await takeOne();
      clock.advance(4000);
      const message = await store.extend(lease, 9000);
      assert.equal(message.leaseExpiresAt, "2026-01-01T00:00:13.000Z");
      await store.settle(lease, { status: "succeeded", result: RESULT });
      await assert.rejects(store.extend(lease, 1000), fault("message_settled"));
    });

    it("cancel() ends a message that waits, and one that is worked on", async () => {
      const waiting = await enqueue();
      assert.equal((await store.cancel("main", waiting)).status, "cancelled");
      assert.deepEqual(await take(), []);
      const working = await enqueue();
      const lease = await takeOne();
      await store.cancel("main", working);
      assert.equal((await store.cancel("main", working)).status, "cancelled");
      await assert.rejects(
        store.settle(lease, { status: "succeeded", result: RESULT }),
        fault("message_settled"),
      );
      await assert.rejects(store.settle(lease, { status: "returned" }), fault("message_settled"));
      const cancelled = tested.events("main").filter((event) => event.includes("cancelled"));
      assert.equal(cancelled.length, 2);
      await enqueue();
      const done = await takeOne();
      await store.settle(done, { status: "failed", result: RESULT });
      await assert.rejects(store.cancel("main", done.messageId), fault("message_settled"));
      await assert.rejects(store.cancel("main", "msg_none"), fault("not_found"));
    });

    it("held() gives what was worked on when the process ended, with its process", async () => {
      await enqueue();
      await enqueue();
      const lease = await takeOne();
      await store.recordProcess(lease, { pid: 4711, startTime: "boot:5" });
      await store.recordProcess({ ...lease, leaseId: "lease_other" }, { pid: 1, startTime: "x" });
      store = await tested.reopen();
      const held = await store.held();
      assert.deepEqual(
        held.map(({ id, holder, leaseId, process }) => ({
          id,
          holder,
          leaseId,
          process,
        })),
        [{
          id: lease.messageId,
          holder: "worker",
          leaseId: lease.leaseId,
          process: { pid: 4711, startTime: "boot:5" },
        }],
      );
      await store.settle(lease, { status: "returned" });
      assert.deepEqual(await store.held(), []);
    });

    it("counts() and waiting() follow every change", async () => {
      const counts = (values: Record<string, number>) =>
        assert.deepEqual(store.counts("main"), {
          queued: 0,
          processing: 0,
          succeeded: 0,
          failed: 0,
          cancelled: 0,
          ...values,
        });
      counts({});
      await enqueue({ agentId: "zeta" });
      const cancelled = await enqueue();
      await enqueue({ origin: "operator" });
      await enqueue();
      assert.deepEqual(await store.waiting(), ["main", "zeta"]);
      await store.cancel("main", cancelled);
      await store.settle(await takeOne(), { status: "failed", result: RESULT });
      await takeOne();
      counts({ cancelled: 1, failed: 1, processing: 1 });
      assert.deepEqual(await store.waiting(), ["zeta"]);
    });

    it("list() pages from the newest to the oldest, by status", async () => {
      const ids: string[] = [];
      for (let count = 0; count < 5; count++) ids.unshift(await enqueue());
      const list = async (limit: number, before: string | null, status: "failed" | null = null) =>
        (await store.list({ agentId: "main", status, limit, before })).messages.map(({ id }) => id);
      assert.deepEqual(await list(2, null), ids.slice(0, 2));
      assert.deepEqual(await list(9, ids[1] ?? null), ids.slice(2));
      const { messageId, ...lease } = await takeOne();
      await store.settle({ messageId, ...lease }, { status: "failed", result: RESULT });
      assert.deepEqual(await list(9, null, "failed"), [messageId]);
      await assert.rejects(list(9, "msg_none"), fault("bad_request"));
    });

    it("list() makes a page of large messages shorter, but never empty", async () => {
      const large = { ...RESULT, stdout: "x".repeat(3_000_000) };
      const ids: string[] = [];
      for (let count = 0; count < 3; count++) {
        ids.unshift(await enqueue());
        await store.settle(await takeOne(), { status: "succeeded", result: large });
      }
      let before: string | null = null;
      for (const id of ids) {
        const page = await store.list({ agentId: "main", status: null, limit: 10, before });
        assert.deepEqual(page.messages.map((message) => message.id), [id]);
        before = page.next;
      }
      assert.equal(before, null);
    });

    it("removes finished messages that are too many or too old, in small steps", async () => {
      const finish = async () => {
        const id = await enqueue();
        await store.settle(await takeOne(), { status: "succeeded", result: RESULT });
        clock.advance(1000);
        return id;
      };
      const ids: string[] = [];
      for (let count = 0; count < 12; count++) ids.push(await finish());
      const waiting = await enqueue();
      retention = { days: 30, count: 10 };
      assert.equal(await store.prune(1), 1);
      assert.equal(await store.prune(10), 1);
      assert.deepEqual([await statusOf(ids[1] ?? ""), await statusOf(ids[2] ?? "")], [
        undefined,
        "succeeded",
      ]);
      await store.cancel("main", waiting);
      ids.push(waiting);
      assert.equal(store.counts("main").succeeded + store.counts("main").cancelled, 10);
      clock.advance(30 * DAY_MS + 1);
      const old = await enqueue();
      assert.equal(await store.prune(100), 10);
      assert.equal(await statusOf(old), "queued");
      assert.deepEqual(store.counts("main"), {
        queued: 1,
        processing: 0,
        succeeded: 0,
        failed: 0,
        cancelled: 0,
      });
    });
  });
}
