/**
 * Pairing: tickets that sign another device in, each once, within two minutes.
 *
 * They are kept in memory only, as digests: a restart of the server ends them all.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { Clock } from "../host/types.ts";
import { digestOf, randomSecret } from "./credential.ts";
import type { KnownBy } from "./known.ts";
import type { Scope } from "./scopes.ts";

/** How long a ticket is good, in ms. */
export const PAIRING_MS = 120_000;

/** Tickets that wait at a time. */
const MAX_WAITING = 128;
/** Tickets whose end is remembered for who issued them. */
const MAX_REMEMBERED = 256;

/** A ticket that was made; it is given out this once. */
export interface IssuedTicket {
  readonly id: string;
  /** 64 lower-case hex digits. */
  readonly ticket: string;
}

/** What a ticket is good for. */
export interface Pairing {
  readonly id: string;
  readonly scope: Scope;
  /** By whose word. */
  readonly by: KnownBy;
}

/** How a ticket stands; `client` is who has used it. */
export type PairingState =
  | { readonly state: "expired" }
  | { readonly state: "used"; readonly client: string }
  | { readonly state: "waiting"; readonly leftMs: number };

/** Makes and takes tickets. */
export interface PairingService {
  /**
   * Makes a ticket.
   *
   * @throws {Fault} `too_many_tickets`
   */
  issue(scope: Scope, by: KnownBy): Promise<IssuedTicket>;
  /** Takes a ticket, so that it is gone; `null` for one that is used, over or was never made. */
  take(ticket: string): Promise<Pairing | null>;
  /** Notes who has used a ticket. */
  noteUse(id: string, client: string): void;
  /** How a ticket stands; `null` for one that nobody remembers. */
  stateOf(id: string): PairingState | null;
  /** Makes a ticket worthless. */
  cancel(id: string): void;
}

interface Waiting extends Pairing {
  /** By the monotonic clock: a clock that is set gives nobody more time. */
  readonly end: number;
}

/** Makes the service. */
export function createPairing(clock: Pick<Clock, "monotonic">): PairingService {
  const waiting = new Map<string, Waiting>();
  const past = new Map<string, PairingState>();

  function prune(): void {
    const now = clock.monotonic();
    for (const [digest, { id, end }] of waiting) {
      if (end > now) continue;
      waiting.delete(digest);
      remember(id, { state: "expired" });
    }
  }

  function remember(id: string, state: PairingState): void {
    past.set(id, state);
    if (past.size <= MAX_REMEMBERED) return;
    for (const oldest of past.keys()) {
      past.delete(oldest);
      break;
    }
  }

  return {
    async issue(scope, by) {
      const ticket = randomSecret();
      const digest = await digestOf(ticket);
      prune();
      if (waiting.size >= MAX_WAITING) {
        throw new Fault("too_many_tickets", "Too many pairing codes wait to be used already", {
          hint: "Try again in two minutes: they end by themselves.",
          headers: { "retry-after": "120" },
        });
      }
      const id = crypto.randomUUID();
      waiting.set(digest, { id, scope, by, end: clock.monotonic() + PAIRING_MS });
      return { id, ticket };
    },
    async take(ticket) {
      const digest = await digestOf(ticket);
      // Nothing may be awaited from here on: two requests may bring the same ticket.
      prune();
      const found = waiting.get(digest);
      if (found === undefined) return null;
      waiting.delete(digest);
      remember(found.id, { state: "expired" });
      return found;
    },
    noteUse: (id, client) => remember(id, { state: "used", client }),
    stateOf(id) {
      prune();
      for (const { id: other, end } of waiting.values()) {
        if (other === id) return { state: "waiting", leftMs: end - clock.monotonic() };
      }
      return past.get(id) ?? null;
    },
    cancel(id) {
      for (const [digest, { id: other }] of waiting) if (other === id) waiting.delete(digest);
    },
  };
}
