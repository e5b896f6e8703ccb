/**
 * Pages through an agent's messages.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { Database, Sql } from "../store/types.ts";
import { messageOf } from "./message_rows.ts";
import type { MessagePage, MessageQuery } from "./types.ts";

/** Bytes from which on a page is full, however few messages it has. */
const PAGE_BYTES = 4 * 1024 * 1024;

/**
 * Reads one page, newest first.
 *
 * @throws {Fault} `bad_request` where `before` is no message of the agent
 */
export function listPage(database: Database, query: MessageQuery): MessagePage {
  const { agentId, status, limit } = query;
  return database.read((sql) => {
    const found = sql.all(
      `SELECT position, size + coalesce(length(result), 0) AS bytes FROM messages
       WHERE agent_id = ?1 AND position < ?2 AND (?3 IS NULL OR status = ?3)
       ORDER BY position DESC LIMIT ?4`,
      agentId,
      positionBefore(sql, query),
      status,
      limit + 1,
    );
    let bytes = 0;
    const fitting = found.slice(0, limit).filter((row, index) => {
      bytes += Number(row["bytes"]);
      return index === 0 || bytes <= PAGE_BYTES;
    });
    const messages = fitting.flatMap(({ position }) => {
      const row = sql.get("SELECT * FROM messages WHERE position = ?", position ?? null);
      return row === undefined ? [] : [messageOf(row)];
    });
    const isLast = fitting.length === found.length;
    return { messages, next: isLast ? null : messages.at(-1)?.id ?? null };
  });
}

function positionBefore(sql: Sql, { agentId, before }: MessageQuery): number {
  if (before === null) return Number.MAX_SAFE_INTEGER;
  const row = sql.get(
    "SELECT position FROM messages WHERE id = ? AND agent_id = ?",
    before,
    agentId,
  );
  if (row !== undefined) return Number(row["position"]);
  throw new Fault("bad_request", "The message that `before` names is not there any more", {
    hint: "Begin again without `before`.",
  });
}
