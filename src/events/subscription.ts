/**
 * The live end of a subscription: a bounded queue that one reader empties.
 *
 * @module
 */

import type { StoredEvent } from "./types.ts";

/** Events that wait for a reader; it ends rather than lose one of them. */
export interface Subscription {
  /** Queues an event. A full queue ends the subscription, and what waited is let go. */
  offer(event: StoredEvent): void;
  /** The next event; `null` once the subscription has ended. One call at a time. */
  next(): Promise<StoredEvent | null>;
  /** The next event if one waits already; else `null`. Not while {@linkcode next} is pending. */
  poll(): StoredEvent | null;
  /** Ends the subscription. A second call does nothing. */
  end(): void;
  /** Events that wait for the reader now. */
  readonly waiting: number;
}

/**
 * Makes a subscription that ends when the signal aborts (not if it has already).
 *
 * @param limit events that may wait
 * @param onEnd called once, when it ends
 */
export function createSubscription(
  limit: number,
  signal: AbortSignal,
  onEnd: () => void,
): Subscription {
  let waiting: StoredEvent[] = [];
  let taken = 0;
  let ended = false;
  let wake = () => {};

  const end = () => {
    if (ended) return;
    ended = true;
    waiting = [];
    taken = 0;
    signal.removeEventListener("abort", end);
    onEnd();
    wake();
  };
  signal.addEventListener("abort", end);

  return {
    offer(event) {
      if (ended) return;
      if (waiting.length - taken >= limit) return end();
      waiting.push(event);
      wake();
    },
    async next() {
      if (!ended && taken === waiting.length) {
        waiting = [];
        taken = 0;
        await new Promise<void>((resolve) => wake = resolve);
        wake = () => {};
      }
      return ended ? null : waiting[taken++] ?? null;
    },
    poll: () => ended || taken === waiting.length ? null : waiting[taken++] ?? null,
    end,
    get waiting() {
      return waiting.length - taken;
    },
  };
}
