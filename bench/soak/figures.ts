/**
 * Memory and descriptors of a server over time, and whether they are flat.
 *
 * @module
 */

import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { median } from "../sample.ts";
import type { SoakServer } from "./server.ts";

/** One look at the process. */
export interface Look {
  readonly life: number;
  /** Seconds since the soak began. */
  readonly at: number;
  readonly residentMebibytes: number;
  readonly descriptors: number;
  readonly walMebibytes: number;
}

/** Medians of the first and of the last quarter of some looks. */
export interface Quarters {
  readonly first: number;
  readonly last: number;
}

/** Looks at a server; `null` while it is down. */
export function lookAt(server: SoakServer, at: number): Look | null {
  const { pid, life, home } = server;
  if (!server.isUp) return null;
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const [, kibibytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    return {
      life,
      at,
      residentMebibytes: Number(kibibytes) / 1024,
      descriptors: readdirSync(`/proc/${pid}/fd`).length,
      walMebibytes: sizeOf(join(home, "holon.db-wal")) / 1024 ** 2,
    };
  } catch {
    return null;
  }
}

/** How many descriptors of each kind a process has, such as `socket 3`. */
export function descriptorKinds(pid: number): Readonly<Record<string, number>> {
  const kinds: Record<string, number> = {};
  try {
    for (const name of readdirSync(`/proc/${pid}/fd`)) {
      const target = readlinkSync(`/proc/${pid}/fd/${name}`);
      const kind = target.startsWith("/") ? basename(target) : target.replace(/:\[\d+\]$/, "");
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
  } catch {
    // It has ended, or a descriptor was closed meanwhile.
  }
  return kinds;
}

/** The quarters of a figure. */
export function quarters(looks: readonly Look[], figure: (look: Look) => number): Quarters {
  const count = Math.max(1, Math.floor(looks.length / 4));
  return {
    first: median(looks.slice(0, count).map(figure)),
    last: median(looks.slice(-count).map(figure)),
  };
}

/** The looks of the life that lasted longest, without its first minute. */
export function longestLife(looks: readonly Look[], warmSeconds = 60): readonly Look[] {
  const lives = Map.groupBy(looks, ({ life }) => life);
  const [longest = []] = [...lives.values()].sort((a, b) => b.length - a.length);
  const begin = longest[0]?.at ?? 0;
  return longest.filter(({ at }) => at - begin >= warmSeconds);
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
