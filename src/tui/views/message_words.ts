/**
 * Messages and times in a few words.
 *
 * @module
 */

import type { MessageStatus } from "../state/types.ts";
import { type Span, span, type Style } from "../text/line.ts";

const MARKS: Readonly<Record<MessageStatus, readonly [string, Style]>> = {
  queued: ["○", "dim"],
  processing: ["◐", "accent"],
  succeeded: ["✓", "good"],
  failed: ["✗", "bad"],
  cancelled: ["–", "dim"],
};

/** A status as a mark and its word. */
export function statusSpan(status: MessageStatus): Span {
  const [mark, style] = MARKS[status];
  return span(`${mark} ${status}`, style);
}

/** A status as a mark alone. */
export function statusMark(status: MessageStatus): Span {
  const [mark, style] = MARKS[status];
  return span(mark, style);
}

/** The time of day of an RFC 3339 time, in this machine's time zone. */
export function clockTime(timestamp: string): string {
  const date = new Date(timestamp);
  if (Number.isNaN(date.getTime())) return "--:--:--";
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, "0")).join(":");
}

/** Who sent a message. */
export function originWords(origin: string): string {
  return origin === "operator" ? "you" : origin;
}
