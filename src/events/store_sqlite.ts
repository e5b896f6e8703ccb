/**
 * Events in SQLite.
 *
 * @module
 */

import type { Database, Sql, SqlRow } from "../store/types.ts";
import type { EventStore } from "./store.ts";
import type { EventType, StoredEvent, Topic } from "./types.ts";

/** Old events are removed once in so many appends, … */
const PRUNE_EVERY = 64;
/** … at most so many at once: more than came in, so that a smaller window is reached in time. */
const PRUNE_AT_MOST = 256;

/** Makes an {@linkcode EventStore} over the home's database. */
export function createSqliteEventStore(database: Database): EventStore {
  return {
    append(transaction, event, at, window) {
      const counted = transaction.get(
        `INSERT INTO event_topics (topic, newest) VALUES (?, 1)
         ON CONFLICT DO UPDATE SET newest = newest + 1 RETURNING newest`,
        event.topic,
      );
      const sequence = Number(counted?.["newest"]);
      transaction.run(
        `INSERT INTO events (topic, sequence, type, created_at, message_id, request_id, origin)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        event.topic,
        sequence,
        event.type,
        at,
        event.messageId,
        event.requestId,
        event.origin,
      );
      if (sequence % PRUNE_EVERY === 0) prune(transaction, event.topic, sequence - window);
      return { ...event, sequence, timestamp: new Date(at).toISOString() };
    },

    newest: (topic) => database.read((sql) => newestOf(sql, topic)),

    replay: (request) =>
      Promise.resolve(database.read((sql) => {
        const newest = newestOf(sql, request.topic);
        const first = sql.get(
          "SELECT min(sequence) AS n FROM events WHERE topic = ?",
          request.topic,
        );
        const rows = sql.all(
          `SELECT * FROM events WHERE topic = ? AND sequence > ? AND (?3 IS NULL OR origin = ?3)
           ORDER BY sequence DESC LIMIT ?4`,
          request.topic,
          request.after,
          request.origin,
          request.limit + 1,
        );
        return {
          events: rows.slice(0, request.limit).reverse().map(eventOf),
          truncated: rows.length > request.limit,
          oldest: Number(first?.["n"] ?? newest + 1),
          newest,
        };
      })),
  };
}

function newestOf(sql: Sql, topic: Topic): number {
  return Number(sql.get("SELECT newest FROM event_topics WHERE topic = ?", topic)?.["newest"] ?? 0);
}

function prune(sql: Sql, topic: Topic, upTo: number): void {
  sql.run(
    `DELETE FROM events WHERE topic = ?1 AND sequence IN (
       SELECT sequence FROM events WHERE topic = ?1 AND sequence <= ?2 ORDER BY sequence LIMIT ?3
     )`,
    topic,
    upTo,
    PRUNE_AT_MOST,
  );
}

function eventOf(row: SqlRow): StoredEvent {
  return {
    topic: row["topic"] as Topic,
    sequence: Number(row["sequence"]),
    type: row["type"] as EventType,
    timestamp: new Date(Number(row["created_at"])).toISOString(),
    messageId: row["message_id"] as string | null,
    requestId: row["request_id"] as string | null,
    origin: row["origin"] as string | null,
  };
}
