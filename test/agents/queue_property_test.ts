import fc from "fast-check";
import assert from "node:assert/strict";
import { it } from "node:test";
import type { Settlement } from "../../src/agents/store.ts";
import type { Lease, MessageOrigin, MessageStatus } from "../../src/agents/types.ts";
import { Fault } from "../../src/fault.ts";
import { fakeClock } from "../support/fake_host.ts";
import { newMessage } from "./message_store_contract.ts";
import { openSqliteStore } from "./open_sqlite_store.ts";

const ORIGINS: readonly MessageOrigin[] = ["app:a", "app:b", "operator"];
const RESULT = { exitCode: 0, error: null, stdout: "", stderr: "", truncated: false };

/** What happens in a run; `pick` chooses among what there is. */
type Step =
  | { readonly act: "enqueue"; readonly origin: number }
  | { readonly act: "take" | "cancel" | "reopen"; readonly pick: number }
  | { readonly act: "failed" | "retry" | "returned" | "succeeded"; readonly pick: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ act: fc.constant("enqueue" as const), origin: fc.nat(2) }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        act: fc.constantFrom(
          "take" as const,
          "take" as const,
          "cancel" as const,
          "reopen" as const,
        ),
        pick: fc.nat(),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        act: fc.constantFrom("failed", "retry", "returned", "succeeded") as fc.Arbitrary<"failed">,
        pick: fc.nat(),
      }),
    },
  ),
  { maxLength: 50 },
);

/** What the model knows of a message. */
interface Known {
  readonly id: string;
  readonly origin: MessageOrigin;
  status: MessageStatus;
  attempts: number;
  /** The lease of its newest delivery, while that holds. */
  lease: string | null;
  events: string[];
}

it(
  "a message store does what its model does, whatever the order",
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const clock = fakeClock();
        const limits = { appMessages: 99, appBytes: 1e9, agentMessages: 99, agentBytes: 1e9 };
        const tested = openSqliteStore({
          now: clock.now,
          limits,
          retention: () => ({ days: 30, count: 1000 }),
        });
        let { store } = tested;
        const model: Known[] = [];
        /** Every lease that was ever given, the ones that were lost among them. */
        const leases: Lease[] = [];
        try {
          for (const step of script) {
            clock.advance(10);
            if (step.act === "enqueue") {
              const origin = ORIGINS[step.origin] ?? "operator";
              const { messageId: id } = await store.enqueue(newMessage({ origin }));
              const events = ["message_enqueued"];
              model.push({ id, origin, status: "queued", attempts: 0, lease: null, events });
            } else if (step.act === "take") {
              const take = { agentId: "main", holder: "worker", leaseMs: 1, worker: null } as const;
              const limit = 1 + step.pick % 2;
              for (const { id, leaseId } of await store.take({ ...take, limit })) {
                const known = find(model, id);
                assert.equal(known.status, "queued");
                const older = model.filter(({ origin, status }) =>
                  origin === known.origin && status === "queued"
                );
                assert.equal(older[0], known, "the oldest of its origin");
                known.status = "processing";
                known.attempts++;
                known.lease = leaseId;
                known.events.push("message_processing_started");
                leases.push({ agentId: "main", messageId: id, leaseId });
              }
            } else if (step.act === "reopen") {
              store = await tested.reopen();
            } else if (step.act === "cancel") {
              const known = model[step.pick % Math.max(1, model.length)];
              if (known === undefined) continue;
              const code = await codeOf(store.cancel("main", known.id));
              if (known.status === "queued" || known.status === "processing") {
                assert.equal(code, null);
                known.status = "cancelled";
                known.events.push("message_cancelled");
              } else {
                assert.equal(code, known.status === "cancelled" ? null : "message_settled");
              }
            } else {
              const lease = leases[step.pick % Math.max(1, leases.length)];
              if (lease === undefined) continue;
              const settlement: Settlement = step.act === "returned"
                ? { status: "returned" }
                : { status: step.act, result: RESULT };
              const code = await codeOf(store.settle(lease, settlement));
              settle(find(model, lease.messageId), lease.leaseId, step.act, code);
            }
          }
          for (const known of model) {
            const message = await store.get("main", known.id);
            assert.deepEqual([message?.status, message?.attempts], [known.status, known.attempts]);
            const events = tested.events("main").filter((event) => event.endsWith(known.id));
            assert.deepEqual(events.map((event) => event.split(" ")[0]), known.events);
          }
          for (const [status, count] of Object.entries(store.counts("main"))) {
            assert.equal(count, model.filter((known) => known.status === status).length, status);
          }
        } finally {
          await tested.close();
        }
      }),
      { numRuns: 40 },
    );
  },
);

/** Does to the model what the store should have done, and checks the refusal. */
function settle(
  known: Known,
  leaseId: string,
  act: "failed" | "retry" | "returned" | "succeeded",
  code: string | null,
): void {
  if (known.lease !== leaseId) return assert.equal(code, "lease_lost");
  if (known.status !== "processing") {
    const same = known.status === (act === "retry" ? "failed" : act);
    return assert.equal(code, same ? null : "message_settled");
  }
  assert.equal(code, null);
  const goesBack = act === "returned" || act === "retry" && known.attempts < 3;
  if (act === "returned") known.attempts--;
  known.status = goesBack ? "queued" : act === "succeeded" ? "succeeded" : "failed";
  if (goesBack) known.lease = null;
  known.events.push(goesBack ? "message_requeued" : `message_${known.status}`);
}

function find(model: readonly Known[], id: string): Known {
  const known = model.find((candidate) => candidate.id === id);
  assert(known !== undefined, "a message that nobody made");
  return known;
}

async function codeOf(change: Promise<unknown>): Promise<string | null> {
  try {
    await change;
    return null;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}
