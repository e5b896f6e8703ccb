/**
 * The parts of a host that the store, the events and the agents need, made for tests: a clock that
 * is set by hand, and plain files.
 *
 * @module
 */

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import type { Clock, FileKind, FileStat, HostFiles } from "../../src/host/types.ts";
import { HostError, type HostErrorCode } from "../../src/host/types.ts";

/** A clock that moves only when it is told to. */
export interface FakeClock extends Clock {
  /** Moves both clocks on. */
  advance(ms: number): void;
  /** Sets the wall clock alone, as an administrator or a time server would. */
  jump(ms: number): void;
}

/** A clock that begins at 2026-01-01T00:00:00Z. */
export function fakeClock(): FakeClock {
  let wall = Date.UTC(2026, 0, 1);
  let steady = 1000;
  return {
    now: () => wall,
    monotonic: () => steady,
    advance: (ms) => {
      wall += ms;
      steady += ms;
    },
    jump: (ms) => {
      wall += ms;
    },
  };
}

/** Files by `node:fs`, as far as the parts under test use them. */
export function plainFiles(): HostFiles {
  return {
    blocking: true,
    realpath: (path) => path,
    lstat: (path) => attempt(() => statOf(lstatSync(path))),
    stat: (path) => attempt(() => statOf(statSync(path))),
    readlink: (path) => attempt(() => readlinkSync(path)),
    openCanonical: () => {
      throw new HostError("io", "not part of this fake");
    },
    openDirect: () => null,
    peek: () => null,
    find: (path) =>
      attempt(() => {
        const stats = lstatSync(path, { throwIfNoEntry: false });
        return stats === undefined ? null : statOf(stats);
      }),
    list: (path, limit) =>
      attempt(() =>
        readdirSync(path, { withFileTypes: true }).slice(0, limit)
          .filter((entry) => !entry.name.includes("\uFFFD"))
          .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
      ),
    read: (path, limit) =>
      later(() => {
        const bytes = readFileSync(path);
        if (bytes.byteLength > limit) throw new HostError("too_large", path);
        return new Uint8Array(bytes);
      }),
    replace: (path, bytes, mode) =>
      later(() => {
        writeFileSync(`${path}.tmp`, bytes, { mode });
        chmodSync(`${path}.tmp`, mode);
        renameSync(`${path}.tmp`, path);
      }),
    create: (path, bytes, mode) => later(() => writeFileSync(path, bytes, { mode, flag: "wx" })),
    makeDirectory: (path, mode) => later(() => void mkdirSync(path, { mode, recursive: true })),
    rename: (from, to) => later(() => renameSync(from, to)),
    remove: (path) => later(() => rmSync(path, { force: true })),
    watch: () => {
      throw new HostError("io", "not part of this fake");
    },
  };
}

function kindOf(entry: Pick<Stats, "isDirectory" | "isFile" | "isSymbolicLink">): FileKind {
  if (entry.isSymbolicLink()) return "symlink";
  if (entry.isDirectory()) return "directory";
  return entry.isFile() ? "file" : "other";
}

function statOf(stat: Stats): FileStat {
  return {
    kind: kindOf(stat),
    size: stat.size,
    mtimeMs: Math.trunc(stat.mtimeMs),
    ctimeMs: Math.trunc(stat.ctimeMs),
    dev: stat.dev,
    ino: stat.ino,
    mode: stat.mode & 0o7777,
    uid: stat.uid,
  };
}

const CODES: Readonly<Record<string, HostErrorCode>> = {
  EACCES: "denied",
  EEXIST: "already_exists",
  EISDIR: "is_a_directory",
  ELOOP: "loop",
  ENOENT: "not_found",
  ENOSPC: "no_space",
  ENOTDIR: "not_a_directory",
  EROFS: "read_only",
};

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof HostError) throw error;
    const code = String((error as { code?: unknown }).code);
    throw new HostError(CODES[code] ?? "io", String(error), error);
  }
}

function later<T>(work: () => T): Promise<T> {
  return Promise.resolve().then(() => attempt(work));
}
