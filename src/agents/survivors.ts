/**
 * Ends processes that outlived a crash of the server, before their messages are queued again.
 *
 * @module
 */

import type { HostProcesses } from "../host/types.ts";
import type { RecordedProcess } from "./store.ts";

/** How patient to be. */
export interface SurvivorOptions {
  /** From SIGTERM to SIGKILL, in ms. */
  readonly graceMs?: number;
  /** Between two looks, in ms. */
  readonly pollMs?: number;
}

/** How long to wait after SIGKILL for a process to vanish, in ms. */
const KILLED_MS = 2000;

/**
 * Ends a recorded process with its group, if it still runs: the pid alone proves nothing, so one
 * whose start time differs, or can't be told, is never signalled.
 *
 * @returns whether there was one
 */
export async function endSurvivor(
  processes: HostProcesses,
  recorded: RecordedProcess,
  options: SurvivorOptions = {},
): Promise<boolean> {
  const { graceMs = 2000, pollMs = 20 } = options;
  const { pid, startTime } = recorded;
  const runs = async () => startTime !== null && await processes.startTime(pid) === startTime;
  if (!await runs()) return false;
  for (const [signal, patience] of [["SIGTERM", graceMs], ["SIGKILL", KILLED_MS]] as const) {
    processes.killGroup(pid, signal);
    for (let waited = 0; waited < patience && await runs(); waited += pollMs) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
    if (!await runs()) break;
  }
  // The leader is gone; a pid is not used again while its group has members.
  processes.killGroup(pid, "SIGKILL");
  return true;
}
