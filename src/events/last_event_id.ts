/**
 * The `Last-Event-ID` header (WHATWG HTML §9.2.4).
 *
 * @module
 */

import { Fault } from "../fault.ts";

/**
 * The number after which a client goes on: an unsigned integer; `null` without the header, for live
 * events only (`facts/holon.md` §e.4). A number too large to be exact is given as one that is
 * ahead of every event.
 *
 * @throws {Fault} `bad_request` for anything else
 */
export function lastEventIdOf(headers: Headers): number | null {
  const value = headers.get("last-event-id");
  if (value === null) return null;
  if (!/^[0-9]{1,64}$/.test(value)) {
    throw new Fault("bad_request", "Last-Event-ID has to be the id of an event: digits only", {
      hint: "Leave the header out to get new events only.",
    });
  }
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}
