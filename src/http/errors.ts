/**
 * Turns whatever was thrown into a response: an envelope for programs, a page for people.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { API_HEADERS, jsonResponse } from "./json.ts";

/** What an error page shows. */
export interface ErrorPage {
  readonly status: number;
  readonly code: string;
  /** The sentence that says what went wrong. */
  readonly sentence: string;
  readonly hint: string | null;
  /** The path that was asked for, so that the page can offer to come back to it. */
  readonly path: string;
  /** Whether it is shown at the host of an app, which has none of Holon's own pages. */
  readonly atAppHost: boolean;
}

/** What {@linkcode errorResponse} needs besides the error. */
export interface ErrorResponseOptions {
  /** Makes the page for a browser's navigation; without it the envelope is sent. */
  readonly renderPage?: (page: ErrorPage) => { readonly html: string; readonly csp: string };
  /** Whether the request was for the host of an app. */
  readonly atAppHost?: boolean;
  /** Told of errors that are no `Fault`: faults of ours. */
  readonly onUnexpected?: (error: unknown) => void;
}

/**
 * The response for an error (`design.md` decision 2): 401 carries `WWW-Authenticate`, 503 and 429
 * carry `Retry-After`, and a navigation gets the same status with a page.
 */
export function errorResponse(
  error: unknown,
  request: Request,
  path: string,
  options: ErrorResponseOptions = {},
): Response {
  const fault = toFault(error, options);
  const headers = { ...defaultHeaders(fault), ...fault.headers };
  if (options.renderPage !== undefined && isNavigation(request)) {
    const { html, csp } = options.renderPage({
      status: fault.status,
      code: fault.code,
      sentence: fault.message,
      hint: fault.hint ?? null,
      path,
      atAppHost: options.atAppHost ?? false,
    });
    return pageResponse(html, csp, fault.status, headers);
  }
  return jsonResponse(envelopeOf(fault), { status: fault.status, headers });
}

/** The error envelope (`facts/holon.md` §a.1). */
export function envelopeOf(fault: Fault): Record<string, unknown> {
  return {
    ok: false,
    error: fault.message,
    code: fault.code,
    ...(fault.hint === undefined ? {} : { hint: fault.hint }),
    ...(Object.keys(fault.context).length === 0 ? {} : { context: fault.context }),
  };
}

/** Whether a browser asks for a document to show, rather than a script for data. */
export function isNavigation(request: Request): boolean {
  if (request.method !== "GET" && request.method !== "HEAD") return false;
  const mode = request.headers.get("sec-fetch-mode");
  if (mode !== null && mode !== "navigate") return false;
  return (request.headers.get("accept") ?? "").toLowerCase().includes("text/html");
}

// --- internal ---

function toFault(error: unknown, options: ErrorResponseOptions): Fault {
  if (error instanceof Fault) {
    if (error.status === 500) options.onUnexpected?.(error.cause ?? error);
    return error;
  }
  options.onUnexpected?.(error);
  return new Fault("runtime_error", "Something went wrong inside Holon", {
    hint: "Try again; the log of the server says more.",
    cause: error,
  });
}

function defaultHeaders(fault: Fault): Record<string, string> {
  const headers: Record<string, string> = { vary: "accept, sec-fetch-mode" };
  if (fault.status === 401) headers["www-authenticate"] = 'Bearer realm="holon"';
  if (fault.status === 503 || fault.status === 429) headers["retry-after"] = "1";
  return headers;
}

function pageResponse(
  html: string,
  csp: string,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const bytes = new TextEncoder().encode(html);
  return new Response(bytes, {
    status,
    headers: {
      ...API_HEADERS,
      "content-type": "text/html; charset=utf-8",
      "content-length": String(bytes.byteLength),
      "content-security-policy": csp,
      "referrer-policy": "no-referrer",
      // A token may be typed there: windows that opened it lose hold of it.
      ...(status === 401 ? { "cross-origin-opener-policy": "same-origin" } : {}),
      ...headers,
    },
  });
}
