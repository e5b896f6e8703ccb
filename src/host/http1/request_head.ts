/**
 * Parses the head of a request, strictly: what two parsers could read in two ways is refused
 * (RFC 9112, above all §2.2, §3, §5 and §6.3).
 *
 * @module
 */

import type { FaultCode } from "../../fault.ts";
import type { ListenerLimits } from "../types.ts";
import { isHostField } from "./host_field.ts";

/** Why the listener answers a request by itself. */
export interface Refusal {
  readonly code: FaultCode;
  /** One sentence for a person. */
  readonly message: string;
}

/** How a request's body is delimited (RFC 9112 §6). */
export type RequestFraming =
  | { readonly kind: "chunked" }
  | { readonly kind: "length"; readonly length: number }
  | { readonly kind: "none" };

/** The head of a request, checked. */
export interface RequestHead {
  readonly method: string;
  /** As received. */
  readonly target: string;
  /** The target without scheme and authority; begins with `/`, or is `*`. */
  readonly path: string;
  /** The host that the request is for; `null` for an HTTP/1.0 request that names none. */
  readonly host: string | null;
  readonly minorVersion: 0 | 1;
  /** Field lines in order, names in lower case, values trimmed, as Latin-1 text. */
  readonly headers: [name: string, value: string][];
  readonly framing: RequestFraming;
  /** The client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
  /** The client may send a further request on this connection. */
  readonly keepAlive: boolean;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const TARGET = /^[\x21-\x7e]+$/;
/** Anything but visible text, blanks, obs-text and line ends that are CR LF. */
const UNSOUND = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;
/** Fetch turns these into upper case, though methods are case-sensitive, or refuses them. */
const UNSUPPORTED_METHOD = /^(?:connect|trace|track)$/i;
const NORMALIZED_METHOD = /^(?:delete|get|head|options|post|put)$/i;

/**
 * Parses a request line and field lines.
 *
 * @param text the head as Latin-1 text, without the empty line and its line end
 * @returns the head, or the refusal to answer with
 */
export function parseRequestHead(
  text: string,
  limits: Pick<ListenerLimits, "maxHeaderBytes" | "maxHeaderLines" | "maxTargetBytes">,
): RequestHead | Refusal {
  if (UNSOUND.test(text)) {
    return bad("The request's head has a control character or a line end that is not CR LF");
  }
  const lines = text.split("\r\n");
  const requestLine = lines[0]!;
  if (lines.length - 1 > limits.maxHeaderLines) return tooManyHeaders(limits.maxHeaderLines);
  if (text.length - requestLine.length > limits.maxHeaderBytes + 2) {
    return headersTooLarge(limits.maxHeaderBytes);
  }
  const line = parseRequestLine(requestLine, limits.maxTargetBytes);
  if ("code" in line) return line;
  const fields = parseFields(lines);
  if ("code" in fields) return fields;
  const { minorVersion } = line;
  const host = line.authority ?? fields.host;
  if (fields.host === null && minorVersion === 1) return bad("The request has no Host header");
  for (const named of [line.authority, fields.host]) {
    if (named !== null && !isHostField(named)) return bad("The request names no valid host");
  }
  const framing = framingOf(fields, minorVersion);
  if ("code" in framing) return framing;
  if (line.authority !== null) replaceHost(fields.headers, line.authority);
  const connection = fields.connection.toLowerCase().split(",").map((option) => option.trim());
  return {
    method: line.method,
    target: line.target,
    path: line.path,
    host,
    minorVersion,
    headers: fields.headers,
    framing,
    expectsContinue: minorVersion === 1 && fields.expect.toLowerCase() === "100-continue",
    keepAlive: minorVersion === 1 && !connection.includes("close"),
  };
}

/** The refusal of a request line that is longer than the limit. */
export function targetTooLong(limit: number): Refusal {
  return { code: "uri_too_long", message: `The request target is longer than ${limit} bytes` };
}

/** The refusal of field lines that are longer than the limit. */
export function headersTooLarge(limit: number): Refusal {
  return {
    code: "headers_too_large",
    message:
      `The request's headers are larger than ${limit} bytes. Cookies of other programs on this ` +
      "host are the usual cause: delete this site's cookies and try again",
  };
}

function tooManyHeaders(limit: number): Refusal {
  return { code: "headers_too_large", message: `The request has more than ${limit} header lines` };
}

function bad(message: string): Refusal {
  return { code: "bad_request", message };
}

interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly authority: string | null;
  readonly minorVersion: 0 | 1;
}

function parseRequestLine(line: string, maxTarget: number): RequestLine | Refusal {
  const [method = "", target = "", version = "", ...more] = line.split(" ");
  if (target.length > maxTarget) return targetTooLong(maxTarget);
  if (more.length > 0 || !TOKEN.test(method) || !TARGET.test(target)) {
    return bad("The request line is malformed");
  }
  if (!/^HTTP\/\d\.\d$/.test(version)) return bad("The request line is malformed");
  if (version !== "HTTP/1.1" && version !== "HTTP/1.0") {
    return { code: "unsupported_http_version", message: "Only HTTP/1.1 and HTTP/1.0 are spoken" };
  }
  if (
    method.length > 32 || UNSUPPORTED_METHOD.test(method) ||
    (NORMALIZED_METHOD.test(method) && method !== method.toUpperCase())
  ) {
    return { code: "not_implemented", message: "This request method is not supported" };
  }
  const minorVersion = version === "HTTP/1.1" ? 1 : 0;
  if (target.startsWith("/")) {
    return { method, target, path: target, authority: null, minorVersion };
  }
  if (target === "*" && method === "OPTIONS") {
    return { method, target, path: "*", authority: null, minorVersion };
  }
  // RFC 9112 §3.2.2: the authority of an absolute form takes the place of the Host field.
  const absolute = ABSOLUTE.exec(target);
  if (absolute === null) return bad('The request target has to begin with "/"');
  const rest = absolute[2]!;
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  return { method, target, path, authority: absolute[1]!, minorVersion };
}

interface Fields {
  readonly headers: [name: string, value: string][];
  readonly host: string | null;
  readonly length: string | null;
  readonly encoding: string | null;
  readonly connection: string;
  readonly expect: string;
}

function parseFields(lines: readonly string[]): Fields | Refusal {
  const headers: [string, string][] = [];
  let host: string | null = null;
  let length: string | null = null;
  let encoding: string | null = null;
  let connection = "";
  let expect = "";
  let cookie: [string, string] | null = null;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!;
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
    // A blank before the colon and a folded line (RFC 9112 §5.1, §5.2) both fail as names.
    if (!TOKEN.test(name)) return bad("A header line is malformed");
    const value = trimBlanks(line, colon + 1);
    if (name === "host") {
      if (host !== null) return bad("The request has several Host headers");
      host = value;
    } else if (name === "content-length") {
      if (length !== null) return bad("The request has several Content-Length headers");
      length = value;
    } else if (name === "transfer-encoding") {
      if (encoding !== null) return bad("The request has several Transfer-Encoding headers");
      encoding = value;
    } else if (name === "connection") {
      connection = connection === "" ? value : `${connection},${value}`;
    } else if (name === "expect") {
      expect = value;
    } else if (name === "cookie") {
      // Cookie is no list: several lines are joined as RFC 9113 §8.2.3 has it.
      if (cookie !== null) {
        cookie[1] += `; ${value}`;
        continue;
      }
      cookie = [name, value];
      headers.push(cookie);
      continue;
    }
    headers.push([name, value]);
  }
  return { headers, host, length, encoding, connection, expect };
}

/** RFC 9112 §6.3, with every doubtful case refused. */
function framingOf(fields: Fields, minorVersion: 0 | 1): RequestFraming | Refusal {
  const { encoding, length } = fields;
  if (encoding !== null) {
    if (length !== null) return bad("The request has both Content-Length and Transfer-Encoding");
    if (minorVersion === 0) return bad("An HTTP/1.0 request can't have a Transfer-Encoding");
    const codings = encoding.toLowerCase().split(",").map((coding) => coding.trim());
    if (codings.length === 1 && codings[0] === "chunked") return { kind: "chunked" };
    if (codings.filter((coding) => coding === "chunked").length > 1 || codings.includes("")) {
      return bad("The Transfer-Encoding header is malformed");
    }
    return { code: "not_implemented", message: "Only the chunked transfer coding is supported" };
  }
  if (length === null) return { kind: "none" };
  if (!/^\d+$/.test(length)) return bad("The Content-Length header is not a number");
  const value = Number(length);
  if (!Number.isSafeInteger(value)) {
    return { code: "request_body_rejected", message: "The request body is too large" };
  }
  return value === 0 ? { kind: "none" } : { kind: "length", length: value };
}

function replaceHost(headers: [string, string][], host: string): void {
  const entry = headers.find(([name]) => name === "host");
  if (entry === undefined) headers.push(["host", host]);
  else entry[1] = host;
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
