/**
 * Tickets: what Holon's own origin gives a browser to enter an app's origin with.
 *
 * @module
 */

import { jwtVerify, SignJWT } from "jose";
import type { Clock } from "../host/types.ts";
import { grantOfClaims, grantToClaims } from "./claims.ts";
import type { Grant } from "./types.ts";

/** How long a ticket is good, in seconds: the time of a redirect. */
export const TICKET_SECONDS = 30;

/** Tickets that are under way at most; the oldest ones end when there are more. */
const MAX_PENDING = 10_000;

const ISSUER = "holon";
const TYPE = "holon-ticket+jwt";

/** Makes and takes tickets. */
export interface Tickets {
  /**
   * @param audience host and port of the app's origin
   * @returns a signed token (JWT, RFC 7519) for a query
   */
  issue(grant: Grant, audience: string): Promise<string>;
  /** What a ticket grants, once; `null` for one that is used, over, altered or for another host. */
  redeem(ticket: string, audience: string): Promise<Grant | null>;
}

/**
 * Makes the tickets of one run of the server: the key is of this run, and only tickets that were
 * issued and have not been used are known, so that one is never taken twice, nor after a restart.
 */
export function createTickets(clock: Clock): Tickets {
  const key = crypto.getRandomValues(new Uint8Array(32));
  /** When each pending ticket ends, by the monotonic clock, in order. */
  const pending = new Map<string, number>();

  function prune(now: number): void {
    for (const [id, end] of pending) {
      if (end > now && pending.size < MAX_PENDING) break;
      pending.delete(id);
    }
  }

  return {
    async issue(grant, audience) {
      const now = clock.monotonic();
      prune(now);
      const id = crypto.randomUUID();
      pending.set(id, now + TICKET_SECONDS * 1000);
      return await new SignJWT(grantToClaims(grant))
        .setProtectedHeader({ alg: "HS256", typ: TYPE })
        .setIssuer(ISSUER)
        .setAudience(audience)
        .setJti(id)
        .setExpirationTime(Math.floor(clock.now() / 1000) + TICKET_SECONDS)
        .sign(key);
    },
    async redeem(ticket, audience) {
      const payload = await jwtVerify(ticket, key, {
        algorithms: ["HS256"],
        audience,
        issuer: ISSUER,
        typ: TYPE,
        requiredClaims: ["exp", "jti"],
        currentDate: new Date(clock.now()),
      }).then((verified) => verified.payload, () => null);
      if (payload === null) return null;
      const end = pending.get(payload.jti ?? "");
      // Nothing may be awaited between these: two requests may bring the same ticket.
      if (!pending.delete(payload.jti ?? "") || end === undefined) return null;
      return end > clock.monotonic() ? grantOfClaims(payload) : null;
    },
  };
}
