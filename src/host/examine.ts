/**
 * Metadata of paths and open descriptors, by the quickest calls that the runtime has.
 *
 * @module
 */

import * as fs from "node:fs";
import { promisify } from "node:util";
import { denoStat, statOfDeno } from "./deno_stat.ts";
import { statOf } from "./file_stat.ts";
import { hostErrorCode } from "./host_error.ts";
import type { FileStat } from "./types.ts";

const fstatLater = promisify(fs.fstat);

/** Metadata; a link at the end is not followed. */
export function lstatSync(path: string): FileStat {
  return denoStat === null ? statOf(fs.lstatSync(path)) : statOfDeno(denoStat.lstatSync(path));
}

/** The same, `null` where nothing is at the path: to throw is dear. */
export function lstatIfThere(path: string): FileStat | null {
  if (denoStat === null) {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    return stats === undefined ? null : statOf(stats);
  }
  try {
    return statOfDeno(denoStat.lstatSync(path));
  } catch (error) {
    return nothing(error);
  }
}

/** {@linkcode lstatIfThere} that doesn't hold other work up. */
export function lstatIfThereLater(path: string): Promise<FileStat | null> {
  return lstat(path).catch(nothing);
}

function nothing(error: unknown): null {
  if (hostErrorCode(error) === "not_found") return null;
  throw error;
}

/** {@linkcode lstatSync} that doesn't hold other work up. */
export async function lstat(path: string): Promise<FileStat> {
  return denoStat === null
    ? statOf(await fs.promises.lstat(path))
    : statOfDeno(await denoStat.lstat(path));
}

/** Metadata; links are followed. */
export function statSync(path: string): FileStat {
  return denoStat === null ? statOf(fs.statSync(path)) : statOfDeno(denoStat.statSync(path));
}

/** {@linkcode statSync} that doesn't hold other work up. */
export async function stat(path: string): Promise<FileStat> {
  return denoStat === null
    ? statOf(await fs.promises.stat(path))
    : statOfDeno(await denoStat.stat(path));
}

/** Metadata of an open file. */
export function fstatSync(descriptor: number): FileStat {
  if (denoStat === null || !namesDescriptors(descriptor)) return statOf(fs.fstatSync(descriptor));
  return statOfDeno(denoStat.statSync(`/proc/self/fd/${descriptor}`));
}

/** {@linkcode fstatSync} that doesn't hold other work up. */
export async function fstat(descriptor: number): Promise<FileStat> {
  if (denoStat === null || !namesDescriptors(descriptor)) {
    return statOf(await fstatLater(descriptor));
  }
  return statOfDeno(await denoStat.stat(`/proc/self/fd/${descriptor}`));
}

let named: boolean | undefined;

/** Whether `/proc` leads to open files (Linux, and Deno with all permissions); tried out once. */
function namesDescriptors(descriptor: number): boolean {
  if (named !== undefined) return named;
  try {
    const there = denoStat?.statSync(`/proc/self/fd/${descriptor}`);
    named = there?.ino === fs.fstatSync(descriptor).ino;
  } catch {
    named = false;
  }
  return named;
}
