/**
 * What Linux tells of a process: descriptors, memory and CPU.
 *
 * @module
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";

/** The `skip` of tests that measure a process. */
export const skipWithoutProc: string | false = existsSync("/proc/self/stat")
  ? false
  : "needs /proc";

/** Descriptors that a process has open. */
export function descriptorsOf(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Resident memory of a process in MiB. */
export function residentMebibytes(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ??
    [];
  return Number(kibibytes) / 1024;
}

/** CPU time that a process has used so far, in ms. */
export function cpuMilliseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  // utime and stime, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
