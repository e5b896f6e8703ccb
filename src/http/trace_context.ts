/**
 * W3C Trace Context: says which distributed trace a request belongs to
 * (https://www.w3.org/TR/trace-context/).
 *
 * @module
 */

import { Fault } from "../fault.ts";

/** The trace that something belongs to, as its headers say it. */
export interface TraceContext {
  /** `00-<trace id>-<parent id>-<flags>`, in hex. */
  readonly traceparent: string;
  /** What tracing systems add for themselves; `null` where there is nothing. */
  readonly tracestate: string | null;
}

/** The most characters of a `tracestate` that are passed on (§3.3.1.5). */
const MAX_TRACESTATE = 512;
/** Longer members are the first to be left out where there are too many characters. */
const LONG_MEMBER = 128;
/** The most members of a `tracestate` (§3.3.1.1). */
const MAX_MEMBERS = 32;

/**
 * The trace of a request; `null` where it names none. A `tracestate` without a `traceparent` means
 * nothing.
 *
 * @throws {Fault} `bad_request` for headers that are malformed (`facts/holon.md` §a.3)
 */
export function traceContextOf(headers: Headers): TraceContext | null {
  const traceparent = headers.get("traceparent");
  if (traceparent === null) return null;
  return {
    traceparent: parseTraceparent(traceparent),
    tracestate: parseTracestate(headers.get("tracestate") ?? ""),
  };
}

/** Checks a `traceparent` (§3.2); one of a later version is passed on as what is known of it. */
function parseTraceparent(value: string): string {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(value);
  const [, version, trace = "", parent = "", flags = "", rest] = match ?? [];
  if (
    version === undefined || version === "ff" || (version === "00" && rest !== undefined) ||
    /^0+$/.test(trace) || /^0+$/.test(parent)
  ) {
    throw malformed("traceparent", "00-<32 hex digits>-<16 hex digits>-<2 hex digits>");
  }
  if (version === "00") return value;
  // Of the flags only the first is known (§4.3).
  return `00-${trace}-${parent}-0${Number.parseInt(flags, 16) & 1}`;
}

const KEY = /^(?:[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13})$/;
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

/** Checks a `tracestate` (§3.3), and shortens it where it is too long to be passed on whole. */
function parseTracestate(value: string): string | null {
  const members = value.split(",").map((member) => member.trim()).filter((member) => member !== "");
  const keys = new Set<string>();
  for (const member of members) {
    const equals = member.indexOf("=");
    const key = member.slice(0, Math.max(0, equals));
    if (!KEY.test(key) || !VALUE.test(member.slice(equals + 1)) || keys.has(key)) {
      throw malformed("tracestate", "a list of key=value");
    }
    keys.add(key);
  }
  if (members.length > MAX_MEMBERS) {
    throw malformed("tracestate", `at most ${MAX_MEMBERS} members`);
  }
  const kept = fitting(members).join(",");
  return kept === "" ? null : kept;
}

/** Members of up to so many characters: long ones go first, then those at the end (§3.3.1.5). */
function fitting(members: readonly string[]): readonly string[] {
  const isTooLong = (list: readonly string[]) => list.join(",").length > MAX_TRACESTATE;
  if (!isTooLong(members)) return members;
  const kept = members.filter((member) => member.length <= LONG_MEMBER);
  while (isTooLong(kept)) kept.pop();
  return kept;
}

function malformed(header: string, wanted: string): Fault {
  return new Fault("bad_request", `The header ${header} is malformed`, {
    hint: `It has to be ${wanted} (W3C Trace Context).`,
  });
}
