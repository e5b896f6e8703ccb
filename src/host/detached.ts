/**
 * Starts a program that lives on when this one, and its terminal, are gone.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { closeSync, constants, openSync, renameSync, statSync } from "node:fs";
import { hostError } from "./host_error.ts";
import type { KnownProcess } from "./known_process.ts";
import { processStartTime } from "./process_identity.ts";

/** What to start. */
export interface DetachedOptions {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Where its stderr goes: begun anew (0600), and the one before is kept with `.1` behind its
   * name. Nowhere, where that can't be written.
   */
  readonly stderrFile: string;
}

/** A process that was started, as long as this one looks at it. */
export interface DetachedProcess extends KnownProcess {
  /** Its exit code, or the signal's name; `null` while it runs. */
  ended(): number | string | null;
}

/**
 * Starts a program in a session of its own, with no stdin and no stdout.
 *
 * @throws {HostError} `not_found` or `denied` when it can't be started
 */
export async function startDetached(options: DetachedOptions): Promise<DetachedProcess> {
  const [program, ...args] = options.command;
  const env = Object.fromEntries(
    Object.entries(options.env).filter(([, value]) => value !== undefined),
  );
  const stderr = openStderr(options.stderrFile);
  try {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env,
      detached: true,
      stdio: ["ignore", "ignore", stderr ?? "ignore"],
    });
    let ended: number | string | null = null;
    child.once("exit", (code, signal) => ended = signal ?? code ?? "unknown");
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
    child.unref();
    const pid = child.pid!;
    return { pid, startTime: processStartTime(pid), ended: () => ended };
  } catch (error) {
    throw hostError(error, `Starting ${program}`);
  } finally {
    if (stderr !== null) closeSync(stderr);
  }
}

const APPEND = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND;

function openStderr(path: string): number | null {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.size) renameSync(path, `${path}.1`);
    return openSync(path, APPEND, 0o600);
  } catch {
    // A full disk, or something else in its place, keeps no server from starting.
    return null;
  }
}
