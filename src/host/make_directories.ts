/**
 * Makes a directory and its parents.
 *
 * @module
 */

import * as fs from "node:fs";
import { dirname } from "node:path";

/**
 * Makes each missing directory of the path; an existing one is left as it is.
 *
 * One by one, since Node's own recursive mkdir says ENOENT for a read-only disk, and never ends
 * where the parent exists but the directory can't (such as below `/proc`).
 */
export async function makeDirectories(path: string, mode: number): Promise<void> {
  try {
    await makeOne(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
    await makeDirectories(parent, mode);
    await makeOne(path, mode);
  }
}

async function makeOne(path: string, mode: number): Promise<void> {
  try {
    await fs.promises.mkdir(path, { mode });
  } catch (error) {
    // A read-only disk may say so of a directory that is there.
    const isThere = codeOf(error) === "EEXIST" || codeOf(error) === "EROFS";
    if (!isThere || !await isDirectory(path)) throw error;
  }
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await fs.promises.stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
