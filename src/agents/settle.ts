/**
 * Puts a held message down, or cancels one. Only the current holder may settle a message (BR-39).
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { SqlRow, Transaction } from "../store/types.ts";
import { appendMessageEvent, type ChangeContext } from "./message_changes.ts";
import type { Settlement } from "./store.ts";
import type { Lease, MessageResult, MessageStatus } from "./types.ts";

/** What a message is set to. */
interface Outcome {
  readonly status: MessageStatus;
  readonly result: MessageResult | null;
  readonly attempts: number;
}

/**
 * The row of a message that a lease holds, whether it is still worked on or was settled under it.
 *
 * @throws {Fault} `not_found`, `lease_lost`
 */
export function rowUnderLease(transaction: Transaction, lease: Lease): SqlRow {
  const row = requireRow(transaction, lease.agentId, lease.messageId);
  if (row["lease_id"] === lease.leaseId) return row;
  throw new Fault("lease_lost", "This lease has ended, and the message is no longer yours", {
    hint: "Drop the work, and claim again.",
    context: { status: String(row["status"]) },
  });
}

/**
 * Settles a message, or puts it back into the queue.
 *
 * @throws {Fault} `not_found`, `lease_lost`, `message_settled`
 */
export function settleMessage(
  context: ChangeContext,
  transaction: Transaction,
  lease: Lease,
  settlement: Settlement,
): SqlRow {
  const row = rowUnderLease(transaction, lease);
  if (row["status"] !== "processing") {
    const again = settlement.status === "retry" ? "failed" : settlement.status;
    if (row["status"] === again) return row;
    throw settledFault(row);
  }
  return apply(context, transaction, row, outcomeOf(row, settlement));
}

/**
 * Cancels a message. Its lease, if it has one, holds nothing any more.
 *
 * @throws {Fault} `not_found`, `message_settled`
 */
export function cancelMessage(
  context: ChangeContext,
  transaction: Transaction,
  agentId: string,
  messageId: string,
): SqlRow {
  const row = requireRow(transaction, agentId, messageId);
  const { status } = row;
  if (status === "cancelled") return row;
  if (status !== "queued" && status !== "processing") throw settledFault(row);
  const attempts = Number(row["attempts"]);
  return apply(context, transaction, row, { status: "cancelled", result: null, attempts });
}

/** @throws {Fault} `message_settled` unless the message in a row is being worked on */
export function requireProcessing(row: SqlRow): void {
  if (row["status"] !== "processing") throw settledFault(row);
}

function requireRow(transaction: Transaction, agentId: string, messageId: string): SqlRow {
  const row = transaction.get(
    "SELECT * FROM messages WHERE id = ? AND agent_id = ?",
    messageId,
    agentId,
  );
  if (row === undefined) throw new Fault("not_found", "There is no message with this id");
  return row;
}

function settledFault(row: SqlRow): Fault {
  return new Fault("message_settled", `This message has ${ENDED[row["status"] as MessageStatus]}`, {
    context: { status: String(row["status"]) },
  });
}

const ENDED: Readonly<Record<MessageStatus, string>> = {
  cancelled: "been cancelled",
  failed: "failed already",
  processing: "not been settled",
  queued: "not been settled",
  succeeded: "succeeded already",
};

function outcomeOf(row: SqlRow, settlement: Settlement): Outcome {
  const attempts = Number(row["attempts"]);
  if (settlement.status === "returned") {
    return { status: "queued", result: null, attempts: Math.max(0, attempts - 1) };
  }
  const { status, result } = settlement;
  if (status !== "retry") return { status, result, attempts };
  return attempts < Number(row["max_attempts"])
    ? { status: "queued", result, attempts }
    : { status: "failed", result, attempts };
}

const EVENTS = {
  cancelled: "message_cancelled",
  failed: "message_failed",
  processing: "message_processing_started",
  queued: "message_requeued",
  succeeded: "message_succeeded",
} as const;

/** A message that goes back keeps no lease; one that ends keeps it, to tell its holder from others. */
function apply(
  context: ChangeContext,
  transaction: Transaction,
  row: SqlRow,
  { status, result, attempts }: Outcome,
): SqlRow {
  const changed = transaction.get(
    `UPDATE messages SET status = ?1, result = ?2, attempts = ?3,
       finished_at = iif(?1 = 'queued', NULL, ?4),
       lease_id = iif(?1 = 'queued', NULL, lease_id),
       holder = iif(?1 = 'queued', NULL, holder),
       lease_ms = NULL, lease_expires_at = NULL, process_pid = NULL, process_start = NULL
     WHERE position = ?5 RETURNING *`,
    status,
    result === null ? null : JSON.stringify(result),
    attempts,
    context.now(),
    row["position"] ?? null,
  );
  appendMessageEvent(context, transaction, row, EVENTS[status]);
  return changed ?? row;
}
