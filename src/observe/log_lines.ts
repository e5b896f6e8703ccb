/**
 * Lines of a log: JSON for programs, a few words for a person at a terminal.
 *
 * @module
 */

import { redact } from "./redact.ts";
import type { LogLevel, RequestRecord } from "./types.ts";

/** A sentence or an error, ready to be written. */
export interface MessageRecord {
  readonly event: "error" | "log_dropped" | "notice";
  readonly level: LogLevel;
  readonly message: string;
  /** A stack, for example. */
  readonly detail?: string;
  readonly requestId?: string | undefined;
}

/** Makes the lines of one format; `null` for what that format leaves out. */
export interface LineFormat {
  request(record: RequestRecord, now: number): string | null;
  message(record: MessageRecord, now: number): string | null;
}

/** The most characters of a line, its end included. */
export const MAX_LINE = 8192;

const MAX_MESSAGE = 1000;
const MAX_DETAIL = 4000;

/** How urgent it is that a request ended as it did. */
export function levelOf({ status, outcome }: RequestRecord): LogLevel {
  // 503 and 507 say that there is no room: that is no fault of the program.
  if (status >= 500 && status !== 503 && status !== 507) return "error";
  const ended = outcome === null || outcome === "finished" || outcome === "client_gone";
  return status >= 400 || !ended ? "warn" : "info";
}

/** One JSON object a line (RFC 8259), with `time`, `level` and `event` first. */
export function jsonFormat(secrets: readonly string[]): LineFormat {
  return {
    request(record, now) {
      const { requestId, client, method, route, agent, app, status, code, bytes, outcome } = record;
      // Every text in it is ours or was checked, so that nothing has to be escaped.
      return `{"time":"${timeOf(now)}","level":"${levelOf(record)}","event":"request",` +
        `"request_id":"${requestId}","client":${quoted(client)},"method":"${method}","route":${
          quoted(route)
        },` +
        `"agent":${quoted(agent)},"app":${quoted(app)},${
          pathField(record, secrets)
        }"status":${status},` +
        `"code":${quoted(code)},"bytes":${bytes},"duration_ms":${rounded(record.durationMs)},` +
        `"outcome":${quoted(outcome)}}\n`;
    },
    message(record, now) {
      const line = messageJson(record, now, secrets, MAX_MESSAGE, MAX_DETAIL);
      // Escapes make it up to six times as long.
      return line.length <= MAX_LINE ? line : messageJson(record, now, secrets, MAX_MESSAGE, 0);
    },
  };
}

/** Short lines of what went wrong; `everything` also shows the rest. */
export function textFormat(
  secrets: readonly string[],
  options: { readonly everything: boolean; readonly color: boolean },
): LineFormat {
  const paint = (level: LogLevel, text: string) =>
    options.color && level !== "info"
      ? `\u001b[${level === "error" ? 31 : 33}m${text}\u001b[0m`
      : text;
  return {
    request(record, now) {
      const level = levelOf(record);
      if (level === "info" && !options.everything) return null;
      const { method, route, agent, status, code, outcome, durationMs } = record;
      const words = [
        clockOf(now),
        paint(level, String(status)),
        method,
        route ?? "(no route)",
        agent === null ? null : placeOf(record, secrets),
        code,
        outcome === "finished" ? null : outcome,
        `${rounded(durationMs)} ms`,
      ];
      return words.filter((word) => word !== null).join(" ") + "\n";
    },
    message({ level, message, detail }) {
      const sentence = printable(redact(message, secrets).slice(0, MAX_MESSAGE));
      const more = detail === undefined
        ? ""
        : `${printableLines(redact(detail, secrets).slice(0, MAX_DETAIL))}\n`;
      return `holon: ${paint(level, sentence)}\n${more}`;
    },
  };
}

// --- internal ---

/** The agent, its app and the app's file, as far as the request has them. */
function placeOf({ agent, app, path }: RequestRecord, secrets: readonly string[]): string {
  const file = path === null ? null : printable(redact(path, secrets));
  return [agent, app, file].filter((part) => part !== null).join("/");
}

function messageJson(
  record: MessageRecord,
  now: number,
  secrets: readonly string[],
  maxMessage: number,
  maxDetail: number,
): string {
  const { event, level, message, detail, requestId } = record;
  const cut = (text: string, most: number) => redact(text, secrets).slice(0, most);
  return JSON.stringify({
    time: timeOf(now),
    level,
    event,
    ...(requestId === undefined ? {} : { request_id: requestId }),
    message: cut(message, maxMessage),
    ...(detail === undefined || maxDetail === 0 ? {} : { detail: cut(detail, maxDetail) }),
  }) + "\n";
}

/** Absent where there is none; the only text that is the client's. */
function pathField({ path }: RequestRecord, secrets: readonly string[]): string {
  return path === null ? "" : `"path":${JSON.stringify(redact(path, secrets))},`;
}

function quoted(text: string | null): string {
  return text === null ? "null" : `"${text}"`;
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

let lastSecond = NaN;
let lastText = "";

/** RFC 3339 in UTC with ms; the second's text is made once. */
function timeOf(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = new Date(second * 1000).toISOString().slice(0, -4);
  }
  return `${lastText}${String(Math.floor(now - second * 1000)).padStart(3, "0")}Z`;
}

/** The time of day here. */
function clockOf(now: number): string {
  const time = new Date(now);
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, "0")).join(":");
}

/** Without control characters, so that nothing can steer the terminal. */
function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g, " ");
}

function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}
