/**
 * Metadata in the form that Holon uses.
 *
 * @module
 */

import type { Dirent, Stats } from "node:fs";
import type { FileKind, FileStat } from "./types.ts";

/** Takes what is needed from a runtime's metadata; times in whole ms. */
export function statOf(stats: Stats): FileStat {
  return {
    kind: kindOf(stats),
    size: stats.size,
    mtimeMs: Math.floor(stats.mtimeMs),
    ctimeMs: Math.floor(stats.ctimeMs),
    dev: stats.dev,
    ino: stats.ino,
    mode: stats.mode & 0o7777,
    uid: stats.uid,
  };
}

/** What kind of thing an entry is. */
export function kindOf(
  entry: Pick<Dirent, "isDirectory" | "isFile" | "isSymbolicLink">,
): FileKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}
