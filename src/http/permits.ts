/**
 * Permits: how many file bodies may be open at once (`design.md` decision 7).
 *
 * @module
 */

/** Gives a permit back; a second call does nothing. */
export type ReleasePermit = () => void;

/** A fixed count of permits. Nobody waits for one. */
export interface Permits {
  readonly limit: number;
  /** How many nobody holds. */
  readonly free: number;
  /** How often none was free, so far. */
  readonly refused: number;
  /** Takes a permit and returns what gives it back; `null` when none is free. */
  tryAcquire(): ReleasePermit | null;
}

/** How many file bodies the whole process sends at once (contract: Transfer semantics). */
export const ASSET_PERMITS = 16;

/** Makes a pool of permits. */
export function createPermits(limit: number = ASSET_PERMITS): Permits {
  let free = limit;
  let refused = 0;
  return {
    limit,
    get free() {
      return free;
    },
    get refused() {
      return refused;
    },
    tryAcquire() {
      if (free === 0) {
        refused += 1;
        return null;
      }
      free -= 1;
      let held = true;
      return () => {
        if (held) free += 1;
        held = false;
      };
    },
  };
}
