/**
 * Redirects between Holon's own origin and those of apps. Each goes to an address that is made
 * here, with host and all: nothing of a request can lead elsewhere.
 *
 * @module
 */

import { isNavigation } from "../http/errors.ts";
import { type HostAndPort } from "../http/host_name.ts";
import { API_HEADERS } from "../http/json.ts";
import type { Target } from "../http/target.ts";
import { authorityOf } from "./rule.ts";

/** The name of a query's field that holds a ticket. */
export const TICKET_FIELD = "holon_ticket";

/** A path and a query as they were sent. */
export type Address = Pick<Target, "rawPath" | "rawQuery">;

/**
 * Redirects to another host with the client's own scheme (RFC 3986 §4.2). The address that it came
 * from, which may hold a ticket, is told to no one.
 */
export function redirectTo(
  status: 303 | 307,
  host: HostAndPort,
  { rawPath, rawQuery }: Address,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const query = rawQuery === "" ? "" : `?${rawQuery}`;
  return new Response(null, {
    status,
    headers: {
      ...API_HEADERS,
      "content-length": "0",
      "location": `//${authorityOf(host)}${rawPath}${query}`,
      "referrer-policy": "no-referrer",
      ...headers,
    },
  });
}

/**
 * Whether a browser goes to an address in a tab or window of its own: frames, scripts and workers
 * are not meant. A client that doesn't say is judged by what it accepts.
 */
export function isTopNavigation(request: Request): boolean {
  const destination = request.headers.get("sec-fetch-dest");
  return isNavigation(request) && (destination === null || destination === "document");
}

/** Adds a ticket to a query. */
export function withTicket(rawQuery: string, ticket: string): string {
  return `${rawQuery}${rawQuery === "" ? "" : "&"}${TICKET_FIELD}=${ticket}`;
}

/** The last ticket in a query, `null` where there is none, and the query without tickets. */
export function takeTicket(
  rawQuery: string,
): { readonly ticket: string | null; readonly rest: string } {
  const prefix = `${TICKET_FIELD}=`;
  const fields = rawQuery.split("&");
  const ticket = fields.findLast((field) => field.startsWith(prefix))?.slice(prefix.length);
  const rest = fields.filter((field) => !field.startsWith(prefix)).join("&");
  return { ticket: ticket ?? null, rest: ticket === undefined ? rawQuery : rest };
}
