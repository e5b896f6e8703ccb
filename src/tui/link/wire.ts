/**
 * The server's answers as rows: every text made safe to draw, everything cut to a bounded size.
 *
 * @module
 */

import { safeLine, safeLines } from "../text/sanitise.ts";
import type {
  AgentRow,
  AppRow,
  EventRow,
  MessageDetail,
  MessageRow,
  MessageStatus,
  QueueCounts,
} from "../state/types.ts";

type Fields = Readonly<Record<string, unknown>>;

const MAX_ID = 200;
const MAX_TEXT = 600;
const MAX_ROWS = 6;

/** The agents of `GET /api/agents`. */
export function readAgents(body: Fields): readonly AgentRow[] {
  return listOf(body["agents"]).map((agent) => ({
    id: idOf(agent["id"]),
    runner: readRunner(agent["runner"]),
    problem: textOrNull(agent["problem"]),
    queue: readQueue(agent["queue"]),
  }));
}

/** The answer of `GET …/state`. */
export interface StateAnswer {
  readonly agent: string;
  readonly runner: string | null;
  readonly queue: QueueCounts;
  readonly apps: readonly AppRow[];
  readonly newest: number;
}

/** Reads the answer of `GET …/state`. */
export function readState(body: Fields): StateAnswer {
  const agent = fieldsOf(body["agent"]);
  return {
    agent: idOf(agent["id"]),
    runner: readRunner(agent["runner"]),
    queue: readQueue(body["queue"]),
    apps: listOf(body["apps"]).map(readApp),
    newest: countOf(body["newest_event_id"]),
  };
}

/** The messages of `GET …/messages`, oldest first. */
export function readMessages(body: Fields): readonly MessageRow[] {
  return listOf(body["messages"]).map(readMessage).toReversed();
}

/** The data of an event; `null` for what is none. */
export function readEvent(data: string): EventRow | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(data);
  } catch {
    return null;
  }
  const event = fieldsOf(fieldsOf(parsed)["event"]);
  const sequence = event["sequence"];
  if (typeof sequence !== "number" || typeof event["type"] !== "string") return null;
  return {
    sequence,
    type: safeLine(event["type"], 80),
    timestamp: textOf(event["timestamp"], 40),
    messageId: idOf(event["message_id"]),
    origin: textOf(event["origin"], MAX_ID),
  };
}

/** All of one message, in lines. */
export function readDetail(body: Fields, id: string): MessageDetail {
  const message = fieldsOf(body["message"]);
  const result = fieldsOf(message["result"]);
  const facts = [
    ["Message", message["id"]],
    ["Status", message["status"]],
    ["From", message["origin"]],
    ["Request", message["request_type"]],
    ["Attempts", `${textOf(message["attempts"], 20)} of ${textOf(message["max_attempts"], 20)}`],
    ["Created", message["created_at"]],
    ["Started", message["started_at"]],
    ["Finished", message["finished_at"]],
    ["Exit code", result["exit_code"]],
    ["Error", result["error"]],
  ].filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => `${String(name).padEnd(10)} ${textOf(value, MAX_TEXT)}`);
  const part = (title: string, value: unknown): string[] => {
    const text = typeof value === "string" ? value : "";
    return text.trim() === "" ? [] : ["", `— ${title} —`, ...safeLines(text.trimEnd(), 65_536)];
  };
  return {
    id,
    lines: [
      ...facts,
      ...part("Payload", payloadText(message["payload"], 2)),
      ...part("Output", result["stdout"]),
      ...part("Errors", result["stderr"]),
    ],
  };
}

function readApp(app: Fields): AppRow {
  const path = typeof app["url"] === "string" && /^(?:\/(?!\/)|https?:\/\/)/.test(app["url"])
    ? safeLine(app["url"], 2048)
    : null;
  const problem = textOrNull(app["problem"]);
  return {
    id: idOf(app["id"]),
    name: textOf(app["name"], MAX_ID),
    version: textOf(app["version"], 40),
    description: textOf(app["description"], MAX_TEXT),
    path: problem === null ? path : null,
    problem,
  };
}

function readMessage(message: Fields): MessageRow {
  const result = fieldsOf(message["result"]);
  const said = [result["error"], result["stdout"]]
    .filter((it): it is string => typeof it === "string" && it.trim() !== "");
  return {
    id: idOf(message["id"]),
    status: statusOf(message["status"]),
    origin: textOf(message["origin"], MAX_ID),
    requestType: textOrNull(message["request_type"]),
    text: fewLines(payloadText(message["payload"])),
    result: said.flatMap((text) => fewLines(text)).slice(0, MAX_ROWS),
    createdAt: textOf(message["created_at"], 40),
    finishedAt: textOrNull(message["finished_at"]),
    attempts: countOf(message["attempts"]),
  };
}

/** The operator's text, or the JSON value. */
function payloadText(payload: unknown, indent?: number): string {
  if (payload === null || payload === undefined) return "";
  const fields = fieldsOf(payload);
  if (typeof fields["text"] === "string" && Object.keys(fields).length === 1) return fields["text"];
  return typeof payload === "string" ? payload : JSON.stringify(payload, null, indent) ?? "";
}

function fewLines(text: string): readonly string[] {
  const cut = text.trim().slice(0, MAX_TEXT * 2);
  if (cut === "") return [];
  const lines = safeLines(cut, MAX_TEXT);
  return lines.length <= MAX_ROWS ? lines : [...lines.slice(0, MAX_ROWS - 1), "…"];
}

function readRunner(runner: unknown): string | null {
  const { command } = fieldsOf(runner);
  return Array.isArray(command) ? safeLine(command.map(String).join(" "), MAX_ID) : null;
}

function readQueue(queue: unknown): QueueCounts {
  const counts = fieldsOf(queue);
  return {
    queued: countOf(counts["queued"]),
    processing: countOf(counts["processing"]),
    succeeded: countOf(counts["succeeded"]),
    failed: countOf(counts["failed"]),
    cancelled: countOf(counts["cancelled"]),
  };
}

function statusOf(value: unknown): MessageStatus {
  switch (value) {
    case "cancelled":
    case "failed":
    case "processing":
    case "succeeded":
      return value;
    default:
      return "queued";
  }
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Fields
    : {};
}

function idOf(value: unknown): string {
  return textOf(value, MAX_ID);
}

function textOf(value: unknown, maxUnits: number): string {
  return value === null || value === undefined ? "" : safeLine(String(value), maxUnits);
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? safeLine(value, MAX_TEXT) : null;
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
