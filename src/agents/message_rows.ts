/**
 * Rows of the table `messages` and what they mean.
 *
 * @module
 */

import type { SqlRow } from "../store/types.ts";
import type { HeldMessage, Holder } from "./store.ts";
import type { Message, MessageOrigin, MessageResult, MessageStatus } from "./types.ts";

/** The message in a row that has all columns. */
export function messageOf(row: SqlRow): Message {
  const { result, traceparent } = row;
  return {
    id: String(row["id"]),
    agentId: String(row["agent_id"]),
    origin: row["origin"] as MessageOrigin,
    status: row["status"] as MessageStatus,
    requestType: row["request_type"] as string | null,
    requestId: String(row["request_id"]),
    payload: JSON.parse(String(row["payload"])),
    attempts: Number(row["attempts"]),
    maxAttempts: Number(row["max_attempts"]),
    createdAt: timeOf(row["created_at"]) ?? "",
    startedAt: timeOf(row["started_at"]),
    finishedAt: timeOf(row["finished_at"]),
    leaseExpiresAt: row["status"] === "processing" ? timeOf(row["lease_expires_at"]) : null,
    result: typeof result === "string" ? JSON.parse(result) as MessageResult : null,
    trace: typeof traceparent === "string"
      ? { traceparent, tracestate: row["tracestate"] as string | null }
      : null,
  };
}

/** The message in the row of one that is being worked on. */
export function heldMessageOf(row: SqlRow): HeldMessage {
  const pid = row["process_pid"];
  const startTime = row["process_start"] as string | null;
  return {
    ...messageOf(row),
    leaseId: String(row["lease_id"]),
    holder: row["holder"] as Holder,
    leaseMs: row["lease_ms"] === null ? null : Number(row["lease_ms"]),
    process: pid === null ? null : { pid: Number(pid), startTime },
  };
}

function timeOf(value: SqlRow[string] | undefined): string | null {
  return value === null || value === undefined ? null : new Date(Number(value)).toISOString();
}
