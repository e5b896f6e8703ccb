/** Words and times as the page says them. */

import type { RequestInfo, RequestStatus } from "./api.ts";

/** Characters shown of a payload. */
const MAX_PAYLOAD = 2_000;

/** What a status is called. */
export const STATUS_WORDS: Readonly<Record<RequestStatus, string>> = {
  queued: "Waiting",
  processing: "At work",
  succeeded: "Done",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** "1 app", "2 apps". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A JSON value as text, cut when it is long; `null` for null and for none. */
export function excerptOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  const text = JSON.stringify(value, null, 2);
  if (text.length <= MAX_PAYLOAD) return text;
  // A cut must not leave half of a character.
  return `${text.slice(0, MAX_PAYLOAD).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** A time as a person says it, e.g. "3 min. ago". */
export function relativeTime(time: string, now: number): string {
  const seconds = Math.round((Date.parse(time) - now) / 1_000);
  const age = Math.abs(seconds);
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
  if (Number.isNaN(seconds)) return "";
  if (age < 5) return "just now";
  if (age < 60) return format.format(seconds, "second");
  if (age < 3_600) return format.format(Math.round(seconds / 60), "minute");
  if (age < 86_400) return format.format(Math.round(seconds / 3_600), "hour");
  return format.format(Math.round(seconds / 86_400), "day");
}

/** A time in full, in the reader's zone. */
export function absoluteTime(time: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return time;
  return date.toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
}

/** How long a request took or has taken, e.g. "1.4 s"; `null` before it is begun. */
export function duration(request: RequestInfo): string | null {
  if (request.startedAt === null || request.finishedAt === null) return null;
  const ms = Date.parse(request.finishedAt) - Date.parse(request.startedAt);
  if (!(ms >= 0)) return null;
  if (ms < 1_000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round(ms % 60_000 / 1_000)} s`;
}
