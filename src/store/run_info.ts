/**
 * `<home>/run/holon.json` and `holon.pid`: what the process that serves a home says of itself. They
 * are for messages and for finding the address; whether a process runs is told by the lock alone.
 *
 * @module
 */

import { join } from "node:path";
import { z } from "zod";
import type { HostFiles } from "../host/types.ts";

/** What a running Holon says of itself. */
export interface RunInfo {
  readonly pid: number;
  /** Tells the process from a later one with its pid; `null` where the system doesn't tell. */
  readonly process_start?: string | null | undefined;
  /** Where it listens, e.g. `http://127.0.0.1:7878`; `null` until it does. */
  readonly address: string | null;
  /** RFC 3339 UTC. */
  readonly started_at: string;
  readonly version: string;
}

const MAX_BYTES = 4096;

const SCHEMA: z.ZodType<RunInfo> = z.object({
  pid: z.int().min(2),
  process_start: z.string().max(200).nullable().optional(),
  address: z.url({ protocol: /^https?$/ }).max(300).nullable(),
  started_at: z.string().max(64),
  version: z.string().max(64),
});

/** The path of the file, below the home's directory. */
export function runInfoPath(home: string): string {
  return join(home, "run", "holon.json");
}

/** Reads the file; `null` when there is none, or when it is not what a Holon wrote. */
export async function readRunInfo(home: string, files: HostFiles): Promise<RunInfo | null> {
  try {
    const bytes = await files.read(runInfoPath(home), MAX_BYTES);
    return SCHEMA.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}

/** The path of the file with nothing but the pid, for scripts. */
export function pidPath(home: string): string {
  return join(home, "run", "holon.pid");
}

/** Writes both files, each in one step. */
export async function writeRunInfo(home: string, files: HostFiles, info: RunInfo): Promise<void> {
  const text = JSON.stringify(info, undefined, 2) + "\n";
  await files.replace(runInfoPath(home), new TextEncoder().encode(text), 0o600);
  await files.replace(pidPath(home), new TextEncoder().encode(`${info.pid}\n`), 0o600);
}

/** Removes both files, as far as they can be. */
export async function removeRunInfo(home: string, files: HostFiles): Promise<void> {
  await files.remove(runInfoPath(home)).catch(() => {});
  await files.remove(pidPath(home)).catch(() => {});
}
