/**
 * Tells a process from a later one with the same pid, and how it is.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { mayRead } from "./deno_permissions.ts";

const BOOT_ID = "/proc/sys/kernel/random/boot_id";
/** Of `/proc/<pid>/stat`, counted after the name, which may hold blanks and brackets. */
const START_TIME_FIELD = 19;

/** A live process. */
export interface ProcessView {
  /** See {@linkcode processStartTime}. */
  readonly startTime: string;
  /** Whether it was halted by SIGSTOP, a terminal or a debugger: it lives, but does nothing. */
  readonly suspended: boolean;
}

/**
 * When a live process was started, in a form that no other process on this machine shares: clock
 * ticks since boot, and which boot. `null` when there is no such process, or on systems without
 * `/proc` (or where Deno's permissions hide it).
 */
export function processStartTime(pid: number): string | null {
  return viewProcess(pid)?.startTime ?? null;
}

/** Looks at a live process; `null` as {@linkcode processStartTime}. */
export function viewProcess(pid: number): ProcessView | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  if (!mayRead(`/proc/${pid}/stat`) || !mayRead(BOOT_ID)) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = ""] = fields;
    // A zombie has ended; only its parent has not asked yet.
    if (state === "Z" || state === "X") return null;
    const ticks = fields[START_TIME_FIELD];
    if (ticks === undefined) return null;
    return { startTime: `${bootId()}:${ticks}`, suspended: state === "T" || state === "t" };
  } catch {
    return null;
  }
}

let knownBootId: string | null = null;

function bootId(): string {
  knownBootId ??= readFileSync(BOOT_ID, "utf8").trim();
  return knownBootId;
}
