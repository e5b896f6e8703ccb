/**
 * Answers of the listener itself, for requests that never reach a handler.
 *
 * @module
 */

import { FAULT_STATUS, type FaultCode } from "../../fault.ts";

/** Why the listener answers a request by itself. */
export interface Refusal {
  readonly code: FaultCode;
  /** One sentence for a person. */
  readonly message: string;
}

/** The refusal of a malformed request. */
export function bad(message: string): Refusal {
  return { code: "bad_request", message };
}

/** The response for a refusal: the error envelope, or a small page for a browser. */
export function refusalResponse(refusal: Refusal, asPage: boolean): Response {
  const status = FAULT_STATUS[refusal.code];
  const body = asPage ? pageOf(refusal.message) : JSON.stringify({
    ok: false,
    error: refusal.message,
    code: refusal.code,
  });
  const headers = new Headers({
    "cache-control": "no-store",
    "content-length": String(new TextEncoder().encode(body).length),
    "content-type": asPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
  if (status === 503) headers.set("retry-after", "1");
  return new Response(body, { status, headers });
}

/** Whether the text of an unfinished head comes from a browser that opens a page. */
export function wantsPage(head: string): boolean {
  return /\r\naccept:[^\r\n]*text\/html/i.test(head);
}

/** Messages are our own sentences: they hold nothing that a client sent. */
function pageOf(message: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Holon</title>` +
    `<p>${message.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}.</p></html>\n`;
}
