/**
 * What a process and its children listen on, as Linux tells it in `/proc`.
 *
 * @module
 */

import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Listening sockets. */
export interface ListeningSockets {
  /** `address:port`, in hexadecimal as in `/proc/net/tcp`. */
  readonly tcp: readonly string[];
  /** Paths. */
  readonly unix: readonly string[];
}

/** The listening sockets of a process and all below it. */
export function listeningSockets(pid: number): ListeningSockets {
  const inodes = new Set(descendants(pid).flatMap(socketInodes));
  const tcp = ["tcp", "tcp6"].flatMap((table) =>
    rows(`/proc/net/${table}`)
      .filter((row) => row[3] === "0A" && inodes.has(row[9] ?? ""))
      .map((row) => row[1] ?? "")
  );
  // Flag 0x10000 marks a Unix socket that accepts connections.
  const unix = rows("/proc/net/unix")
    .filter((row) => row[3] === "00010000" && inodes.has(row[6] ?? ""))
    .map((row) => row[7] ?? "");
  return { tcp, unix };
}

function rows(path: string): readonly string[][] {
  return readFileSync(path, "utf8").trimEnd().split("\n").slice(1)
    .map((line) => line.trim().split(/\s+/));
}

function descendants(pid: number): readonly number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      // The name in parentheses may hold blanks; the parent is the second field behind it.
      const parent = /^.*\) \S (\d+) /s.exec(readFileSync(`/proc/${entry}/stat`, "utf8"))?.[1];
      parents.set(Number(entry), Number(parent));
    } catch {
      // It has ended since the listing.
    }
  }
  const found = [pid];
  for (const parent of found) {
    for (const [child, its] of parents) if (its === parent) found.push(child);
  }
  return found;
}

function socketInodes(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      try {
        return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
      } catch {
        return [];
      }
    });
  } catch {
    return [];
  }
}
