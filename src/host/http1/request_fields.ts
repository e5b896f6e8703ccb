/**
 * Parses the field lines of a request (RFC 9112 §5).
 *
 * @module
 */

import type { FieldMap } from "../fetch/light_headers.ts";
import { bad, type Refusal } from "./refusal.ts";

/** A token (RFC 9110 §5.6.2): what methods and field names are. */
export const TOKEN: RegExp = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Field lines, with what the listener itself goes by. They are shared between requests. */
export interface RequestFields {
  /** In order, names in lower case, values trimmed. */
  readonly headers: readonly [name: string, value: string][];
  /** The same by name, those of one name joined. */
  readonly byName: FieldMap;
  readonly host: string | null;
  readonly length: string | null;
  readonly encoding: string | null;
  /** The client asks for `100 Continue`. */
  readonly expectsContinue: boolean;
  /** The client wants the connection to end with this request. */
  readonly closes: boolean;
}

/** Parses field lines. */
export function parseFields(lines: readonly string[]): RequestFields | Refusal {
  const headers: [string, string][] = [];
  const byName: FieldMap = new Map();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    // A blank before the colon and a folded line (RFC 9112 §5.1, §5.2) both fail as names.
    if (!TOKEN.test(name)) return bad("A header line is malformed");
    const value = trimBlanks(line, colon + 1);
    const before = byName.get(name);
    if (before !== undefined && SINGLE.has(name)) {
      return bad(`The request has several ${SINGLE.get(name)} headers`);
    }
    // Cookie is no list: several lines are joined as RFC 9113 §8.2.3 has it.
    if (before !== undefined && name === "cookie") {
      const joined = `${before}; ${value}`;
      headers.find((it) => it[0] === name)![1] = joined;
      byName.set(name, joined);
      continue;
    }
    headers.push([name, value]);
    byName.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return withOwn(headers, byName);
}

/** The same fields for another host. */
export function withHost(fields: RequestFields, host: string): RequestFields {
  const others = fields.headers.filter(([name]) => name !== "host");
  const byName: FieldMap = new Map(fields.byName).set("host", host);
  return { ...fields, host, headers: [["host", host], ...others], byName };
}

/** Of these, two lines could be understood in two ways. */
const SINGLE: ReadonlyMap<string, string> = new Map([
  ["host", "Host"],
  ["content-length", "Content-Length"],
  ["transfer-encoding", "Transfer-Encoding"],
]);

function withOwn(headers: RequestFields["headers"], byName: FieldMap): RequestFields {
  const connection = byName.get("connection")?.toLowerCase() ?? "";
  // Of several lines the last counts.
  const expect = headers.findLast(([name]) => name === "expect")?.[1];
  return {
    headers,
    byName,
    host: byName.get("host") ?? null,
    length: byName.get("content-length") ?? null,
    encoding: byName.get("transfer-encoding") ?? null,
    expectsContinue: expect?.toLowerCase() === "100-continue",
    closes: connection.split(",").some((option) => option.trim() === "close"),
  };
}

/** The value from `start` on without spaces and tabs around it; `trim` would take more. */
function trimBlanks(line: string, start: number): string {
  let from = start;
  let to = line.length;
  while (from < to && isBlank(line.charCodeAt(from))) from++;
  while (to > from && isBlank(line.charCodeAt(to - 1))) to--;
  return line.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
