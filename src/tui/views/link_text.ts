/**
 * The state of the connection in words.
 *
 * @module
 */

import type { Link, TuiState } from "../state/types.ts";
import { type Line, span, type Style } from "../text/line.ts";

/** The state in a few words, as it is at this moment. */
export function linkWords(link: Link, now: number): string {
  switch (link.kind) {
    case "bootstrapping":
      return `bootstrapping${elapsed(now - link.since, 2)}`;
    case "streaming":
      return "streaming";
    case "stale":
      return `stale${elapsed(now - link.since, 0)}`;
    case "reconnecting": {
      const when = link.retryAt === null
        ? "now"
        : `in ${Math.max(1, Math.ceil((link.retryAt - now) / 1000))} s`;
      return `reconnecting (attempt ${link.attempt}, ${when})`;
    }
    case "refresh-required":
      return "refresh required";
    case "disconnected":
      return "disconnected";
  }
}

/** A mark and the words. */
export function linkLine({ link, now }: TuiState): Line {
  const style = LINK_STYLES[link.kind];
  return [span(`${LINK_MARKS[link.kind]} ${linkWords(link, now)}`, style)];
}

/** Why it is so, and what a person can do; `null` where there is nothing to say. */
export function linkReason({ link, target }: TuiState): string | null {
  switch (link.kind) {
    case "stale":
      return "The server has not answered for a while; what is shown may be old.";
    case "reconnecting":
    case "refresh-required":
      return sentence(link.reason);
    case "disconnected":
      return `${sentence(link.reason)} /refresh tries again${
        target.remote ? "" : " once that is mended"
      }.`;
    default:
      return null;
  }
}

const LINK_MARKS: Readonly<Record<Link["kind"], string>> = {
  bootstrapping: "◌",
  streaming: "●",
  stale: "◍",
  reconnecting: "↻",
  "refresh-required": "↻",
  disconnected: "✗",
};

const LINK_STYLES: Readonly<Record<Link["kind"], Style>> = {
  bootstrapping: "accent",
  streaming: "good",
  stale: "warn",
  reconnecting: "warn",
  "refresh-required": "warn",
  disconnected: "bad",
};

/** Seconds in brackets, once there are some. */
function elapsed(ms: number, from: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < from ? "" : ` (${seconds} s)`;
}

function sentence(text: string): string {
  const first = text.includes("://") ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
