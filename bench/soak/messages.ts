/**
 * Apps and the operator send messages; workers claim and settle them.
 *
 * @module
 */

import type { Answer, SoakClient } from "./client.ts";
import { APPS } from "./home.ts";
import type { Entry, Ledger, Settled } from "./ledger.ts";
import { pause, pick, roll } from "./pace.ts";

const LEASE_SECONDS = 20;
const QUEUE = "/api/agents/main/messages";

/** Sends one message, again after a crash until it is acknowledged: the key makes it one. */
export async function send(client: SoakClient, ledger: Ledger, stop: AbortSignal): Promise<void> {
  const what = roll(10);
  const entry = ledger.begin(what === 0 ? "shell" : "main");
  const payload = { nonce: entry.nonce, filler: "x".repeat(roll(600)) };
  const app = pick(APPS);
  const call = what < 3
    ? { kind: "operator message", path: `/api/agents/${entry.agent}/messages`, json: { payload } }
    : {
      kind: "app request",
      path: `/apps/main/${app}/request`,
      json: { version: "1", request_type: "soak", request_id: entry.nonce, payload },
    };
  const headers = { "idempotency-key": entry.nonce };
  for (;;) {
    const answer = await client.call({ ...call, method: "POST", headers, allowed: [200, 429] });
    if (answer?.status === 200) {
      ledger.acknowledge(entry, bodyOf(answer)["message_id"] as string);
      if (answer.headers["idempotency-replayed"] === "true") client.tally.count("replayed sends");
      break;
    }
    if (answer !== null) await pause(1000, stop);
  }
  if (roll(40) === 0 && entry.agent === "main") await cancel(client, entry);
}

async function cancel(client: SoakClient, entry: Entry): Promise<void> {
  const path = `${QUEUE}/${entry.id}/cancel`;
  const answer = await client.call({ kind: "cancel", method: "POST", path, allowed: [200, 409] });
  if (answer?.status === 200) settle(client, entry, "cancelled");
}

/** Takes a few messages and settles most of them. */
export async function work(client: SoakClient, ledger: Ledger, stop: AbortSignal): Promise<number> {
  const answer = await client.call({
    kind: "claim",
    method: "POST",
    path: `${QUEUE}/claim`,
    json: { lease_s: LEASE_SECONDS, limit: 1 + roll(8), worker: "soak" },
    allowed: [200],
  });
  if (answer?.status !== 200) return 0;
  const messages = bodyOf(answer)["messages"] as readonly Claimed[];
  // At once: by the time that the last one's turn comes, its lease may have run out.
  for (const message of messages) {
    const entry = ledger.byNonce.get(message.payload.nonce);
    client.tally.check(entry !== undefined, `claimed ${message.id}, which nobody sent`);
    client.tally.check(
      entry?.settled !== "succeeded" && entry?.settled !== "failed",
      `claimed ${message.id}, which is settled as ${entry?.settled}`,
    );
    client.tally.check(message.attempts <= 3, `claimed ${message.id} for the 4th time`);
  }
  for (const message of messages) {
    if (!stop.aborted && roll(20) === 0) await pause(roll(300), stop);
    await finish(client, ledger.byNonce.get(message.payload.nonce), message);
  }
  return messages.length;
}

interface Claimed {
  readonly id: string;
  readonly lease_id: string;
  readonly attempts: number;
  readonly payload: { readonly nonce: string };
}

async function finish(
  client: SoakClient,
  entry: Entry | undefined,
  message: Claimed,
): Promise<void> {
  const { id, lease_id } = message;
  const chance = roll(100);
  // Let go of: the lease runs out, and somebody else has it.
  if (chance < 1) return;
  const [verb, json, settled] = chance < 6
    ? ["fail", { lease_id, error: "by chance", retry: true }, null] as const
    : chance < 12
    ? ["fail", { lease_id, error: "by chance" }, "failed"] as const
    : ["ack", { lease_id, output: { done: id } }, "succeeded"] as const;
  const call = { kind: verb, method: "POST", path: `${QUEUE}/${id}/${verb}`, json };
  // 409: it was cancelled, the lease ran out, or the first answer was lost in a crash.
  const answer = await client.call({ ...call, allowed: [200, 409] }) ??
    await client.call({ ...call, allowed: [200, 409] });
  if (answer?.status === 200 && settled !== null) settle(client, entry, settled);
}

function settle(client: SoakClient, entry: Entry | undefined, settled: Settled): void {
  if (entry === undefined) return;
  if (entry.settled !== null && entry.settled !== settled) {
    client.tally.violation(`${entry.nonce} was settled as ${entry.settled} and as ${settled}`);
  }
  entry.settled = settled;
}

function bodyOf(answer: Answer): Record<string, unknown> {
  return JSON.parse(answer.body.toString());
}
