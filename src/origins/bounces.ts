/**
 * Notices browsers that keep no cookies: they would be sent to and fro for ever.
 *
 * @module
 */

/** How often one address may be bounced within {@linkcode WINDOW_MS}; browsers give up at about 6. */
const MOST = 4;
const WINDOW_MS = 10_000;
const MAX_KEYS = 1_000;

/** Counts the bounces of clients. */
export interface Bounces {
  /** Whether a client may be sent away once more, to come back with a ticket. */
  allow(client: string): boolean;
}

/** Makes the count. */
export function createBounces(clock: { monotonic(): number }): Bounces {
  const counts = new Map<string, { count: number; readonly since: number }>();
  return {
    allow(client) {
      const now = clock.monotonic();
      const known = counts.get(client);
      if (known !== undefined && now - known.since < WINDOW_MS) return ++known.count <= MOST;
      if (counts.size >= MAX_KEYS) counts.clear();
      counts.set(client, { count: 1, since: now });
      return true;
    },
  };
}
