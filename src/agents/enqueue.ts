/**
 * Puts a message into the queue: idempotency, bounds, row and event in one transaction
 * (`design.md` decision 12).
 *
 * @module
 */

import { uuidv7 } from "uuidv7";
import { Fault } from "../fault.ts";
import type { SqlRow, Transaction } from "../store/types.ts";
import { canonicalJson } from "./canonical_json.ts";
import { appendMessageEvent, type ChangeContext } from "./message_changes.ts";
import type { QueueLimits } from "./store.ts";
import type { Enqueued, NewMessage } from "./types.ts";

/** How long an idempotency key replays its answer, in ms. */
export const IDEMPOTENCY_MS: number = 24 * 60 * 60 * 1000;

const MAX_ATTEMPTS = 3;

/** What a row costs besides its payload, roughly, in bytes. */
const ROW_BYTES = 256;

/** A message ready to be put into the queue. */
export interface PreparedMessage extends Omit<NewMessage, "requestId"> {
  readonly id: string;
  readonly requestId: string;
  readonly payloadText: string;
  /** Bytes that it counts for. */
  readonly size: number;
  /** Digest of the request, for its idempotency key; `null` without one. */
  readonly digest: string | null;
}

/** Does what takes no transaction: ids, text, digest. */
export async function prepareMessage(message: NewMessage): Promise<PreparedMessage> {
  const { requestType, requestId, payload, idempotencyKey } = message;
  const id = `msg_${uuidv7()}`;
  const payloadText = JSON.stringify(payload ?? null);
  const digest = idempotencyKey === null
    ? null
    : await digestOf(canonicalJson([requestType, requestId, payload ?? null]));
  const size = ROW_BYTES + new TextEncoder().encode(payloadText).byteLength;
  return { ...message, id, requestId: requestId ?? id, payloadText, size, digest };
}

/**
 * Puts a prepared message into the queue, or answers an earlier one again.
 *
 * @throws {Fault} `app_queue_full`, `agent_queue_full`, `idempotency_conflict`
 */
export function enqueueMessage(
  context: ChangeContext,
  transaction: Transaction,
  message: PreparedMessage,
  limits: QueueLimits,
): Enqueued {
  const now = context.now();
  const earlier = claimKey(transaction, message, now);
  if (earlier !== undefined) return earlier;
  requireRoom(transaction, message, limits);
  const row = transaction.get(
    `INSERT INTO messages (id, agent_id, origin, status, request_type, request_id, size,
       max_attempts, created_at, payload, traceparent, tracestate)
     VALUES (?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id, agent_id, origin, request_id`,
    message.id,
    message.agentId,
    message.origin,
    message.requestType,
    message.requestId,
    message.size,
    MAX_ATTEMPTS,
    now,
    message.payloadText,
    message.trace?.traceparent ?? null,
    message.trace?.tracestate ?? null,
  );
  appendMessageEvent(context, transaction, row ?? {}, "message_enqueued");
  return { messageId: message.id, requestId: message.requestId, replayed: false };
}

/** The earlier answer of this key; else the key is taken for this message. */
function claimKey(
  transaction: Transaction,
  message: PreparedMessage,
  now: number,
): Enqueued | undefined {
  const { agentId, origin, idempotencyKey, digest } = message;
  if (idempotencyKey === null || digest === null) return undefined;
  const earlier = transaction.get(
    "SELECT * FROM idempotency_keys WHERE agent_id = ? AND origin = ? AND key = ?",
    agentId,
    origin,
    idempotencyKey,
  );
  if (earlier !== undefined && Number(earlier["created_at"]) > now - IDEMPOTENCY_MS) {
    return replay(earlier, digest);
  }
  transaction.run(
    "INSERT OR REPLACE INTO idempotency_keys VALUES (?, ?, ?, ?, ?, ?, ?)",
    agentId,
    origin,
    idempotencyKey,
    digest,
    message.id,
    message.requestId,
    now,
  );
  return undefined;
}

function replay(earlier: SqlRow, digest: string): Enqueued {
  if (earlier["digest"] !== digest) {
    throw new Fault("idempotency_conflict", "This Idempotency-Key was used for another request", {
      hint: "Use a new key for each request, and the same one only to repeat it.",
    });
  }
  return {
    messageId: String(earlier["message_id"]),
    requestId: String(earlier["request_id"]),
    replayed: true,
  };
}

function requireRoom(
  transaction: Transaction,
  message: PreparedMessage,
  limits: QueueLimits,
): void {
  const { agentId, origin, size } = message;
  const rows = transaction.all(
    "SELECT origin, messages, size FROM message_counts WHERE agent_id = ? AND status = 'queued'",
    agentId,
  );
  let messages = 0;
  let bytes = 0;
  for (const row of rows) {
    const count = Number(row["messages"]);
    const total = Number(row["size"]);
    messages += count;
    bytes += total;
    if (row["origin"] !== origin || !origin.startsWith("app:")) continue;
    if (count >= limits.appMessages || total + size > limits.appBytes) {
      throw queueFull("app_queue_full", "This app has too many requests waiting");
    }
  }
  if (messages >= limits.agentMessages || bytes + size > limits.agentBytes) {
    throw queueFull("agent_queue_full", "This agent has too many messages waiting");
  }
}

function queueFull(code: "agent_queue_full" | "app_queue_full", sentence: string): Fault {
  return new Fault(code, sentence, {
    hint: "Try again once the agent has worked on some of them.",
    headers: { "retry-after": "5" },
  });
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
