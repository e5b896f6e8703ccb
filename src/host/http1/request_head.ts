/**
 * Parses the head of a request, strictly: what two parsers could read in two ways is refused
 * (RFC 9112, above all §2.2, §3, §5 and §6.3).
 *
 * @module
 */

import type { FieldMap } from "../fetch/light_headers.ts";
import type { ListenerLimits } from "../types.ts";
import type { FieldsMemory } from "./fields_memory.ts";
import { isHostField } from "./host_field.ts";
import { bad, type Refusal } from "./refusal.ts";
import { parseFields, type RequestFields, TOKEN, withHost } from "./request_fields.ts";

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
  readonly headers: readonly [name: string, value: string][];
  /** The same by name, those of one name joined; shared between requests. */
  readonly fields: FieldMap;
  readonly framing: RequestFraming;
  /** The client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
  /** The client may send a further request on this connection. */
  readonly keepAlive: boolean;
}

const TARGET = /^[\x21-\x7e]+$/;
/** Anything but visible text, blanks, obs-text and line ends that are CR LF. */
const UNSOUND = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n)|(?<!\r)\n/;
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i;
/** Fetch turns these into upper case, though methods are case-sensitive, or refuses them. */
const UNSUPPORTED_METHOD = /^(?:connect|trace|track)$/i;
const USUAL_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);
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
  memory?: FieldsMemory,
): RequestHead | Refusal {
  const lineEnd = text.indexOf("\r\n");
  const requestLine = lineEnd < 0 ? text : text.slice(0, lineEnd);
  const block = lineEnd < 0 ? "" : text.slice(lineEnd + 2);
  // Clients send the same fields again and again.
  const known = memory?.recall(block);
  if (UNSOUND.test(requestLine) || (known === undefined && UNSOUND.test(block))) {
    return bad("The request's head has a control character or a line end that is not CR LF");
  }
  const lines = known !== undefined || block === "" ? [] : block.split("\r\n");
  if (lines.length > limits.maxHeaderLines) return tooManyHeaders(limits.maxHeaderLines);
  if (block.length > limits.maxHeaderBytes) return headersTooLarge(limits.maxHeaderBytes);
  const line = parseRequestLine(requestLine, limits.maxTargetBytes);
  if ("code" in line) return line;
  const fields = known ?? parseFields(lines);
  if ("code" in fields) return fields;
  if (known === undefined) memory?.remember(block, fields);
  return combine(line, fields);
}

/** What the request line and the fields come to together. */
function combine(line: RequestLine, fields: RequestFields): RequestHead | Refusal {
  const { authority, minorVersion } = line;
  if (fields.host === null && minorVersion === 1) return bad("The request has no Host header");
  for (const named of [authority, fields.host]) {
    if (named !== null && !isHostField(named)) return bad("The request names no valid host");
  }
  const framing = framingOf(fields, minorVersion);
  if ("code" in framing) return framing;
  // RFC 9112 §3.2.2: the authority of an absolute form takes the place of the Host field.
  const { host, headers, byName } = authority === null ? fields : withHost(fields, authority);
  return {
    method: line.method,
    target: line.target,
    path: line.path,
    host,
    minorVersion,
    headers,
    fields: byName,
    framing,
    expectsContinue: minorVersion === 1 && fields.expectsContinue,
    keepAlive: minorVersion === 1 && !fields.closes,
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

interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly authority: string | null;
  readonly minorVersion: 0 | 1;
}

function parseRequestLine(line: string, maxTarget: number): RequestLine | Refusal {
  const first = line.indexOf(" ");
  const last = line.lastIndexOf(" ");
  // Three words: with more of them the target has a blank, and with less there is none.
  const method = line.slice(0, Math.max(first, 0));
  const target = line.slice(first + 1, Math.max(last, 0));
  const version = line.slice(last + 1);
  if (target.length > maxTarget) return targetTooLong(maxTarget);
  if (first === last || !TOKEN.test(method) || !TARGET.test(target)) {
    return bad("The request line is malformed");
  }
  if (version !== "HTTP/1.1" && version !== "HTTP/1.0") {
    if (!/^HTTP\/\d\.\d$/.test(version)) return bad("The request line is malformed");
    return { code: "unsupported_http_version", message: "Only HTTP/1.1 and HTTP/1.0 are spoken" };
  }
  if (
    !USUAL_METHODS.has(method) && (
      method.length > 32 || UNSUPPORTED_METHOD.test(method) ||
      (NORMALIZED_METHOD.test(method) && method !== method.toUpperCase())
    )
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
  const absolute = ABSOLUTE.exec(target);
  if (absolute === null) return bad('The request target has to begin with "/"');
  const rest = absolute[2]!;
  const path = rest.startsWith("/") ? rest : `/${rest}`;
  return { method, target, path, authority: absolute[1]!, minorVersion };
}

/** RFC 9112 §6.3, with every doubtful case refused. */
function framingOf(fields: RequestFields, minorVersion: 0 | 1): RequestFraming | Refusal {
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
