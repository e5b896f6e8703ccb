/**
 * What a server's process holds and uses, as Linux tells it.
 *
 * @module
 */

import { readdirSync, readFileSync } from "node:fs";

/** Folders that a process watches by inotify. */
export function watchedFolders(pid: number): number {
  let count = 0;
  for (const fd of readdirSync(`/proc/${pid}/fdinfo`)) {
    try {
      const info = readFileSync(`/proc/${pid}/fdinfo/${fd}`, "utf8");
      count += info.match(/^inotify wd:/gm)?.length ?? 0;
    } catch {
      // Closed meanwhile.
    }
  }
  return count;
}

/** The processor time that a process has used, in ms; Linux counts it in hundredths of a second. */
export function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")") + 2).split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}
