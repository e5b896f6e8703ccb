/**
 * Takes waiting messages fairly among their origins.
 *
 * @module
 */

import { uuidv7 } from "uuidv7";
import type { SqlRow, Transaction } from "../store/types.ts";
import { appendMessageEvent, type ChangeContext } from "./message_changes.ts";
import type { Take } from "./store.ts";

/** Whose turn was last, per agent: the origin. */
export type Turns = Map<string, string>;

/**
 * Takes up to `limit` messages: the oldest of the next origin in the round, then of the one after
 * it, and so on.
 */
export function takeMessages(
  context: ChangeContext,
  transaction: Transaction,
  request: Take,
  turns: Turns,
): readonly SqlRow[] {
  const taken: SqlRow[] = [];
  while (taken.length < request.limit) {
    const origin = nextOrigin(transaction, request.agentId, turns.get(request.agentId) ?? "");
    if (origin === undefined) break;
    turns.set(request.agentId, origin);
    const row = takeOldest(context, transaction, request, origin);
    if (row === undefined) break;
    appendMessageEvent(context, transaction, row, "message_processing_started");
    taken.push(row);
  }
  return taken;
}

/** The first origin after the last one that has waiting messages, going round. */
function nextOrigin(transaction: Transaction, agentId: string, last: string): string | undefined {
  const row = transaction.get(
    `SELECT origin FROM message_counts WHERE agent_id = ? AND status = 'queued' AND messages > 0
     ORDER BY origin <= ?, origin LIMIT 1`,
    agentId,
    last,
  );
  return row === undefined ? undefined : String(row["origin"]);
}

function takeOldest(
  context: ChangeContext,
  transaction: Transaction,
  request: Take,
  origin: string,
): SqlRow | undefined {
  const { agentId, holder, leaseMs, worker } = request;
  const now = context.now();
  return transaction.get(
    `UPDATE messages SET status = 'processing', attempts = attempts + 1, started_at = ?1,
       result = NULL, holder = ?2, worker = ?3, lease_id = ?4, lease_ms = ?5, lease_expires_at = ?6
     WHERE position = (
       SELECT position FROM messages WHERE agent_id = ?7 AND origin = ?8 AND status = 'queued'
       ORDER BY position LIMIT 1
     ) RETURNING *`,
    now,
    holder,
    worker,
    `lease_${uuidv7()}`,
    leaseMs,
    leaseMs === null ? null : now + leaseMs,
    agentId,
    origin,
  );
}
