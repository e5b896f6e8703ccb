/**
 * The queue of all agents in SQLite.
 *
 * @module
 */

import type { EventService } from "../events/types.ts";
import type { Database, SqlRow, Transaction } from "../store/types.ts";
import { enqueueMessage, IDEMPOTENCY_MS, prepareMessage } from "./enqueue.ts";
import { listPage } from "./list_page.ts";
import type { ChangeContext } from "./message_changes.ts";
import { heldMessageOf, messageOf } from "./message_rows.ts";
import { cancelMessage, requireProcessing, rowUnderLease, settleMessage } from "./settle.ts";
import type { MessageStore, QueueLimits, Retention } from "./store.ts";
import { takeMessages, type Turns } from "./take.ts";
import type { MessageStatus, QueueCounts } from "./types.ts";

/** What the store works with. */
export interface SqliteMessageStoreOptions {
  readonly database: Database;
  readonly events: Pick<EventService, "append">;
  /** Wall-clock time in ms since the epoch. */
  readonly now: () => number;
  readonly limits?: QueueLimits;
  /** Asked at each use, so that a changed setting takes effect. */
  readonly retention: () => Retention;
}

/** The bounds in use (`design.md` decision 12). */
export const QUEUE_LIMITS: QueueLimits = {
  appMessages: 1000,
  appBytes: 64 * 1024 * 1024,
  agentMessages: 10_000,
  agentBytes: 256 * 1024 * 1024,
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** Finished messages that are removed at most when another one finishes. */
const PRUNE_ON_FINISH = 4;

/** Makes a {@linkcode MessageStore} over the home's database. */
export function createSqliteMessageStore(options: SqliteMessageStoreOptions): MessageStore {
  const { database, events, now, retention, limits = QUEUE_LIMITS } = options;
  const context: ChangeContext = { events, now };
  const turns: Turns = new Map();

  /** Runs a change that may finish a message, then removes some that have outlived their time. */
  const finish = (agentId: string, change: (transaction: Transaction) => SqlRow) =>
    database.write((transaction) => {
      const row = change(transaction);
      pruneAgent(transaction, agentId, retention(), now(), PRUNE_ON_FINISH);
      return messageOf(row);
    });

  return {
    async enqueue(message) {
      const prepared = await prepareMessage(message);
      return await database.write((transaction) =>
        enqueueMessage(context, transaction, prepared, limits)
      );
    },

    get: (agentId, messageId) =>
      Promise.resolve(database.read((sql) => {
        const row = sql.get(
          "SELECT * FROM messages WHERE id = ? AND agent_id = ?",
          messageId,
          agentId,
        );
        return row === undefined ? undefined : messageOf(row);
      })),

    list: (query) => Promise.resolve().then(() => listPage(database, query)),

    counts: (agentId) => countsOf(database, agentId),

    oldestWaiting: (agentId) =>
      database.read((sql) => {
        const row = sql.get(
          `SELECT created_at FROM messages WHERE position =
             (SELECT min(position) FROM messages WHERE agent_id = ? AND status = 'queued')`,
          agentId,
        );
        return row === undefined ? null : Number(row["created_at"]);
      }),

    waiting: () =>
      Promise.resolve(
        database.read((sql) =>
          sql.all(
            `SELECT DISTINCT agent_id FROM message_counts WHERE status = 'queued' AND messages > 0
             ORDER BY agent_id`,
          )
        ).map((row) => String(row["agent_id"])),
      ),

    held: () =>
      Promise.resolve(
        database.read((sql) =>
          sql.all("SELECT * FROM messages WHERE status = 'processing' ORDER BY position")
        ).map(heldMessageOf),
      ),

    take: (request) =>
      database.write((transaction) => takeMessages(context, transaction, request, turns))
        .then((rows) => rows.map(heldMessageOf)),

    extend: (lease, leaseMs) =>
      database.write((transaction) => {
        requireProcessing(rowUnderLease(transaction, lease));
        const row = transaction.get(
          "UPDATE messages SET lease_ms = ?, lease_expires_at = ? WHERE id = ? RETURNING *",
          leaseMs,
          now() + leaseMs,
          lease.messageId,
        );
        return heldMessageOf(row ?? {});
      }),

    recordProcess: (lease, process) =>
      database.write((transaction) => {
        transaction.run(
          `UPDATE messages SET process_pid = ?, process_start = ?
           WHERE id = ? AND lease_id = ? AND status = 'processing'`,
          process.pid,
          process.startTime,
          lease.messageId,
          lease.leaseId,
        );
      }),

    settle: (lease, settlement) =>
      finish(
        lease.agentId,
        (transaction) => settleMessage(context, transaction, lease, settlement),
      ),

    cancel: (agentId, messageId) =>
      finish(agentId, (transaction) => cancelMessage(context, transaction, agentId, messageId)),

    prune: (limit) =>
      database.write((transaction) => {
        const agents = transaction.all("SELECT DISTINCT agent_id FROM message_counts");
        let removed = pruneKeys(transaction, now(), limit);
        for (const { agent_id } of agents) {
          if (removed >= limit) break;
          const rest = limit - removed;
          removed += pruneAgent(transaction, String(agent_id), retention(), now(), rest);
        }
        return removed;
      }),
  };
}

function countsOf(database: Database, agentId: string): QueueCounts {
  const counts: Record<MessageStatus, number> = {
    cancelled: 0,
    failed: 0,
    processing: 0,
    queued: 0,
    succeeded: 0,
  };
  const rows = database.read((sql) =>
    sql.all(
      "SELECT status, sum(messages) AS n FROM message_counts WHERE agent_id = ? GROUP BY status",
      agentId,
    )
  );
  for (const row of rows) counts[row["status"] as MessageStatus] = Number(row["n"]);
  return counts;
}

/** Removes finished messages that are too old or too many, oldest first; gives how many. */
function pruneAgent(
  transaction: Transaction,
  agentId: string,
  keep: Retention,
  now: number,
  limit: number,
): number {
  const finished = transaction.get(
    `SELECT coalesce(sum(messages), 0) AS n FROM message_counts
     WHERE agent_id = ? AND status IN ('cancelled', 'failed', 'succeeded')`,
    agentId,
  );
  const surplus = Math.max(0, Number(finished?.["n"]) - keep.count);
  const removed = removeFinished(transaction, agentId, Infinity, Math.min(surplus, limit));
  const cutoff = now - keep.days * DAY_MS;
  return removed + removeFinished(transaction, agentId, cutoff, limit - removed);
}

function removeFinished(
  transaction: Transaction,
  agentId: string,
  before: number,
  most: number,
): number {
  return transaction.run(
    `DELETE FROM messages WHERE position IN (
       SELECT position FROM messages WHERE agent_id = ? AND finished_at < ?
       ORDER BY finished_at LIMIT ?
     )`,
    agentId,
    before,
    most,
  ).changes;
}

function pruneKeys(transaction: Transaction, now: number, limit: number): number {
  return transaction.run(
    `DELETE FROM idempotency_keys WHERE (agent_id, origin, key) IN (
       SELECT agent_id, origin, key FROM idempotency_keys WHERE created_at <= ? LIMIT ?
     )`,
    now - IDEMPOTENCY_MS,
    limit,
  ).changes;
}
