/**
 * How long the daemon commands wait.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";
import { tryLifecycleLock } from "../../store/home_lock.ts";
import { CliFailure, EXIT } from "../failure.ts";
import type { CliIo } from "../io.ts";
import type { Progress } from "./progress.ts";

/** Between two looks, in ms. */
export const POLL_MS = 100;

/** How long to wait for a server to be ready, in ms. */
export function startTimeoutMs(io: CliIo, option: number | undefined): number {
  return timeoutMs(io, option, "HOLON_DAEMON_START_TIMEOUT_SECS", 30);
}

/** How long each step of stopping may take, in ms. */
export function stopTimeoutMs(io: CliIo, option: number | undefined): number {
  return timeoutMs(io, option, "HOLON_DAEMON_STOP_TIMEOUT_SECS", 10);
}

/** Waits for a condition; whether it came to hold in time. */
export async function holdsWithin(
  io: CliIo,
  ms: number,
  condition: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const end = io.host.clock.monotonic() + ms;
  while (!await condition()) {
    if (io.host.clock.monotonic() >= end) return false;
    await delay(POLL_MS / 2);
  }
  return true;
}

/**
 * Runs work while no other command starts or stops the home's server.
 *
 * @param patienceMs how long another command is waited for
 * @throws {CliFailure} when that one does not come to an end
 */
export async function alone<T>(
  io: CliIo,
  home: string,
  patienceMs: number,
  progress: Progress,
  work: () => Promise<T>,
): Promise<T> {
  let release: (() => void) | null = null;
  const has = await holdsWithin(io, patienceMs, () => {
    release = tryLifecycleLock(home);
    if (release === null) progress.waiting("another `holon daemon` command on this home");
    return release !== null;
  });
  if (!has) {
    throw new CliFailure("another `holon daemon` command is at work on this home, and goes on", {
      hint: "Wait for it, or end it; then run this again.",
    });
  }
  try {
    return await work();
  } finally {
    (release as (() => void) | null)?.();
  }
}

function timeoutMs(
  io: CliIo,
  option: number | undefined,
  variable: string,
  fallback: number,
): number {
  if (option !== undefined) return option * 1000;
  const text = io.env[variable] ?? "";
  if (text === "") return fallback * 1000;
  const value = Number(text);
  if (/^\d+(?:\.\d+)?$/.test(text) && value >= 0.1 && value <= 86_400) return value * 1000;
  throw new CliFailure(`${variable} has "${text}", which is no number of seconds from 0.1 on`, {
    exitCode: EXIT.usage,
  });
}
