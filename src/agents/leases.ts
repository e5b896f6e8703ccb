/**
 * When leases end, by the monotonic clock: a wall clock that jumps neither takes a message away from
 * its worker nor leaves it there for ever.
 *
 * @module
 */

import type { Clock } from "../host/types.ts";
import type { Lease } from "./types.ts";

/** The leases that are held now. */
export interface Leases {
  /** Notes a lease, or that it lasts longer. */
  hold(lease: Lease, ms: number): void;
  /** Forgets the lease of a message. */
  drop(messageId: string): void;
  /** Leases that have ended, soonest first. */
  due(): readonly Lease[];
  /** Milliseconds until the next one ends; `null` when none is held. */
  untilNext(): number | null;
}

interface HeldLease {
  readonly lease: Lease;
  /** By the monotonic clock. */
  readonly deadline: number;
}

/** Makes an empty set of leases. */
export function createLeases(clock: Clock): Leases {
  const held = new Map<string, HeldLease>();
  return {
    hold(lease, ms) {
      held.set(lease.messageId, { lease, deadline: clock.monotonic() + ms });
    },
    drop(messageId) {
      held.delete(messageId);
    },
    due() {
      const now = clock.monotonic();
      return [...held.values()].filter(({ deadline }) => deadline <= now)
        .sort((a, b) => a.deadline - b.deadline)
        .map(({ lease }) => lease);
    },
    untilNext() {
      if (held.size === 0) return null;
      const now = clock.monotonic();
      let next = Infinity;
      for (const { deadline } of held.values()) next = Math.min(next, deadline);
      return Math.max(0, next - now);
    },
  };
}

/**
 * What is left of a lease that an earlier run gave, in ms. The time in between can only be told by
 * the wall clock, so the answer is held between nothing and the whole lease.
 *
 * @param expiresAt wall-clock end in ms since the epoch
 */
export function remainingLease(expiresAt: number, leaseMs: number, now: number): number {
  return Math.min(leaseMs, Math.max(0, expiresAt - now));
}
