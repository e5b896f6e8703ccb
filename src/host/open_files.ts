/**
 * How many descriptors this process may have, and what of them connections may take.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { mayRead } from "./deno_permissions.ts";

const LIMITS = "/proc/self/limits";
const MOST_BACKLOG = 511;

/** What of a process's descriptors connections may take. */
export interface ConnectionShare {
  /** Connections at once, all listeners together. */
  readonly most: number;
  /** Connections of one listener that the kernel holds until they are accepted. */
  readonly backlog: number;
}

/**
 * How many connections leave descriptors for files, the database and runners. What waits in the
 * kernel counts too: Deno accepts all of it before the listener can cut any, and where that fails
 * for want of descriptors, it never accepts again (2.9).
 *
 * @param openFiles how many descriptors the process may have; `null` where nobody knows
 */
export function connectionShare(openFiles: number | null): ConnectionShare {
  if (openFiles === null) return { most: Infinity, backlog: MOST_BACKLOG };
  const most = Math.max(8, Math.floor(openFiles / 2) - 16);
  return { most, backlog: Math.min(MOST_BACKLOG, Math.max(4, Math.floor(openFiles / 8))) };
}

/** The soft limit of this process; `null` without one, and where it isn't told (Linux tells). */
export function openFilesLimit(): number | null {
  if (!mayRead(LIMITS)) return null;
  try {
    const match = /^Max open files\s+(\d+)\s/m.exec(readFileSync(LIMITS, "latin1"));
    return match === null ? null : Number(match[1]);
  } catch {
    return null;
  }
}
