/**
 * The calls of the file system that opening needs, at once or later (`design.md` decision 21).
 *
 * @module
 */

import * as fs from "node:fs";
import { promisify } from "node:util";
import type { Awaitable } from "./types.ts";

/** System calls on paths and descriptors. */
export interface FileCalls {
  open(path: string, flags: number): Awaitable<number>;
  fstat(descriptor: number): Awaitable<fs.Stats>;
  lstat(path: string): Awaitable<fs.Stats>;
  readlink(path: string): Awaitable<string>;
}

/** Faster on a local disk: no hop to a thread. */
export const callsAtOnce: FileCalls = {
  open: (path, flags) => fs.openSync(path, flags),
  fstat: (descriptor) => fs.fstatSync(descriptor),
  lstat: (path) => fs.lstatSync(path),
  readlink: (path) => fs.readlinkSync(path),
};

const open = promisify(fs.open);
const fstat = promisify(fs.fstat);

/** For disks that may keep the caller waiting. */
export const callsLater: FileCalls = {
  open: (path, flags) => open(path, flags),
  fstat: (descriptor) => fstat(descriptor),
  lstat: (path) => fs.promises.lstat(path),
  readlink: (path) => fs.promises.readlink(path),
};
