/**
 * The head of a response as text, and how its body is delimited (RFC 9112 §4, §6).
 *
 * @module
 */

import { STATUS_CODES } from "node:http";

/** How a response's body is delimited. */
export type ResponseFraming =
  /** No body follows; a length that was given says what GET would send. */
  | { readonly kind: "bodiless"; readonly length: number | null }
  | { readonly kind: "chunked" }
  | { readonly kind: "length"; readonly length: number }
  /** For HTTP/1.0 clients: the connection's end ends the body. */
  | { readonly kind: "until-close" };

/** These belong to the connection, which is the listener's business. */
const OWN_FIELDS = new Set([
  "connection",
  "content-length",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const UNSOUND_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Writes status line and header lines, with the empty line at the end, as Latin-1 text.
 *
 * @param close whether the connection ends after this response
 * @param date the value of the Date header, unless the response has its own
 * @throws {TypeError} when a header value can't be sent
 */
export function formatResponseHead(
  response: Response,
  framing: ResponseFraming,
  close: boolean,
  date: string,
): string {
  const { status } = response;
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}\r\n`;
  let dated = false;
  response.headers.forEach((value, name) => {
    if (OWN_FIELDS.has(name)) return;
    // Some runtimes let through what would turn into a line end as Latin-1.
    if (UNSOUND_VALUE.test(value)) throw new TypeError(`The header ${name} has an unsound value`);
    if (name === "date") dated = true;
    text += `${name}: ${value}\r\n`;
  });
  if (!dated) text += `date: ${date}\r\n`;
  if (framing.kind === "chunked") text += "transfer-encoding: chunked\r\n";
  const length = "length" in framing ? framing.length : null;
  if (length !== null) text += `content-length: ${length}\r\n`;
  if (close) text += "connection: close\r\n";
  return `${text}\r\n`;
}

/** The Content-Length that a handler gave; `null` without a valid one. */
export function declaredLength(response: Response): number | null {
  const value = response.headers.get("content-length");
  if (value === null || !/^\d{1,15}$/.test(value)) return null;
  return Number(value);
}

/** Whether a response to this method never has a body (RFC 9112 §6.3). */
export function isBodiless(method: string, status: number): boolean {
  return method === "HEAD" || status === 204 || status === 304;
}

/** Whether a response is an event stream, which opens at once and may be silent for ever. */
export function isEventStream(response: Response): boolean {
  return /^text\/event-stream\s*(?:;|$)/i.test(response.headers.get("content-type") ?? "");
}

let dateSecond = Number.NaN;
let dateText = "";

/** An IMF-fixdate (RFC 9110 §5.6.7), made anew once a second. */
export function httpDate(now: number): string {
  const second = Math.floor(now / 1000);
  if (second !== dateSecond) {
    dateSecond = second;
    dateText = new Date(now).toUTCString();
  }
  return dateText;
}
