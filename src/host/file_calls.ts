/**
 * The calls of the file system that opening needs, at once or later (`design.md` decision 21).
 *
 * @module
 */

import * as fs from "node:fs";
import { promisify } from "node:util";
import { fstat, fstatSync, lstat, lstatSync } from "./examine.ts";
import type { Awaitable, FileStat } from "./types.ts";

/** System calls on paths and descriptors. */
export interface FileCalls {
  open(path: string, flags: number): Awaitable<number>;
  fstat(descriptor: number): Awaitable<FileStat>;
  lstat(path: string): Awaitable<FileStat>;
  readlink(path: string): Awaitable<string>;
}

/** Faster on a local disk: no hop to a thread. */
export const callsAtOnce: FileCalls = {
  open: (path, flags) => fs.openSync(path, flags),
  fstat: fstatSync,
  lstat: lstatSync,
  readlink: (path) => fs.readlinkSync(path),
};

const open = promisify(fs.open);

/** For disks that may keep the caller waiting. */
export const callsLater: FileCalls = {
  open: (path, flags) => open(path, flags),
  fstat,
  lstat,
  readlink: (path) => fs.promises.readlink(path),
};
