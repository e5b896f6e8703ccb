/**
 * A line of the log as a person reads it.
 *
 * @module
 */

import { type Paint, printable, printableLines } from "../output.ts";

/**
 * The time here, how urgent it is and what happened; whatever else stands in a log (text lines, a
 * crash) stays as it is. Nothing in it steers the terminal.
 *
 * @param line without its end
 */
export function logText(line: string, paint: Paint): string {
  const record = recordOf(line);
  if (record === null) return printableLines(line);
  const { time, level } = record;
  const head = `${paint.dim(timeText(time))} ${painted(level, level.padEnd(5), paint)} `;
  return head + (record.event === "request" ? requestText(record, paint) : messageText(record));
}

// --- internal ---

interface LogRecord extends Readonly<Record<string, unknown>> {
  readonly time: string;
  readonly level: string;
}

function recordOf(line: string): LogRecord | null {
  if (!line.startsWith("{")) return null;
  try {
    const record = JSON.parse(line) as Record<string, unknown>;
    const { time, level, event, message } = record;
    if (typeof time !== "string" || typeof level !== "string") return null;
    if (event !== "request" && typeof message !== "string") return null;
    return { ...record, time, level };
  } catch {
    // It was cut, or is no record.
    return null;
  }
}

function requestText(record: LogRecord, paint: Paint): string {
  const { method, route, agent, app, path, status, code, outcome, duration_ms } = record;
  const place = [agent, app, path].map(wordOf).filter((part) => part !== "").join("/");
  const words = [
    painted(record.level, wordOf(status), paint),
    wordOf(method),
    wordOf(route) || "(no route)",
    place,
    wordOf(code),
    outcome === "finished" ? "" : wordOf(outcome),
    typeof duration_ms === "number" ? `${duration_ms} ms` : "",
  ];
  return words.filter((word) => word !== "").join(" ");
}

function messageText({ message, detail }: LogRecord): string {
  const sentence = printable(String(message));
  if (typeof detail !== "string") return sentence;
  return [sentence, ...printableLines(detail).trimEnd().split("\n")].join("\n  ");
}

/** Empty for what a record doesn't have. */
function wordOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? printable(String(value)) : "";
}

function painted(level: string, text: string, { red, yellow }: Paint): string {
  const safe = printable(text);
  if (level === "error") return red(safe);
  return level === "warn" ? yellow(safe) : safe;
}

/** The date and the time of day here. */
function timeText(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return printable(time);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ` +
    [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
}
