/**
 * Tells a process from a later one with the same pid.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { mayRead } from "./deno_permissions.ts";

const BOOT_ID = "/proc/sys/kernel/random/boot_id";
/** Of `/proc/<pid>/stat`, counted after the name, which may hold blanks and brackets. */
const START_TIME_FIELD = 19;

/**
 * When a live process was started, in a form that no other process on this machine shares: clock
 * ticks since boot, and which boot. `null` when there is no such process, or on systems without
 * `/proc` (or where Deno's permissions hide it).
 */
export function processStartTime(pid: number): string | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  if (!mayRead(`/proc/${pid}/stat`) || !mayRead(BOOT_ID)) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // A zombie has ended; only its parent has not asked yet.
    if (fields[0] === "Z" || fields[0] === "X") return null;
    const ticks = fields[START_TIME_FIELD];
    return ticks === undefined ? null : `${bootId()}:${ticks}`;
  } catch {
    return null;
  }
}

let knownBootId: string | null = null;

function bootId(): string {
  knownBootId ??= readFileSync(BOOT_ID, "utf8").trim();
  return knownBootId;
}
