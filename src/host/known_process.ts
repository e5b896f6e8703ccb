/**
 * A process that is no child of this one, known by its pid and its start time.
 *
 * @module
 */

import process from "node:process";
import { processStartTime, viewProcess } from "./process_identity.ts";

/** Which process is meant. */
export interface KnownProcess {
  readonly pid: number;
  /** When it was started; `null` where the system doesn't tell (macOS). */
  readonly startTime: string | null;
}

/** How a known process is. */
export type ProcessCondition =
  /** It has ended, also where another process has its pid by now. */
  | "gone"
  | "running"
  /** Halted by SIGSTOP or a terminal. */
  | "suspended";

/** What became of a signal. */
export type SignalOutcome = "denied" | "gone" | "sent";

/** How the process is right now. */
export function conditionOf(known: KnownProcess): ProcessCondition {
  const { pid, startTime } = known;
  if (!Number.isSafeInteger(pid) || pid <= 1) return "gone";
  if (startTime === null) return sendSignal(pid, 0) === "gone" ? "gone" : "running";
  const view = viewProcess(pid);
  if (view === null || view.startTime !== startTime) return "gone";
  return view.suspended ? "suspended" : "running";
}

/** Signals the process, and no other one that was given its pid. */
export function signalProcess(
  known: KnownProcess,
  signal: "SIGCONT" | "SIGKILL" | "SIGTERM",
): SignalOutcome {
  return conditionOf(known) === "gone" ? "gone" : sendSignal(known.pid, signal);
}

/** This process, as others will know it. */
export function thisProcess(): KnownProcess {
  return { pid: process.pid, startTime: processStartTime(process.pid) };
}

function sendSignal(pid: number, signal: NodeJS.Signals | 0): SignalOutcome {
  try {
    process.kill(pid, signal);
    return "sent";
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return code === "ESRCH" ? "gone" : "denied";
  }
}
