/**
 * Files by absolute path, over `node:fs`.
 *
 * @module
 */

import * as fs from "node:fs";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { lstat, lstatIfThere, lstatIfThereLater, lstatSync, stat, statSync } from "./examine.ts";
import { callsAtOnce, callsLater, type FileCalls } from "./file_calls.ts";
import { kindOf } from "./file_stat.ts";
import { createFile, replaceFile, syncDirectory } from "./file_writer.ts";
import { hostError } from "./host_error.ts";
import { makeDirectories } from "./make_directories.ts";
import type { Moment } from "./moment.ts";
import { openCanonical, openDirect, type OpenProof } from "./open_canonical.ts";
import { openDescriptor } from "./opened_file.ts";
import {
  type Awaitable,
  type DirectoryEntry,
  type FileStat,
  HostError,
  type HostFiles,
  type OpenedFile,
} from "./types.ts";
import { watchFolder } from "./watch.ts";

const READ_FLAGS = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK;

/** Files of the machine. */
export function createFiles(
  proof: OpenProof,
  watch: HostFiles["watch"] = watchFolder,
): HostFiles {
  return new NodeFiles(proof, watch);
}

class NodeFiles implements HostFiles {
  blocking = true;
  readonly watch: HostFiles["watch"];
  readonly #proof: OpenProof;

  constructor(proof: OpenProof, watch: HostFiles["watch"]) {
    this.#proof = proof;
    this.watch = watch;
  }

  realpath(path: string): Awaitable<string> {
    return this.#either(
      `Resolving ${path}`,
      () => fs.realpathSync.native(path),
      () => fs.promises.realpath(path),
    );
  }

  lstat(path: string): Awaitable<FileStat> {
    return this.#either(
      `Examining ${path}`,
      () => lstatSync(path),
      () => lstat(path),
    );
  }

  find(path: string): Awaitable<FileStat | null> {
    return this.#either(
      `Examining ${path}`,
      () => lstatIfThere(path),
      () => lstatIfThereLater(path),
    );
  }

  stat(path: string): Awaitable<FileStat> {
    return this.#either(
      `Examining ${path}`,
      () => statSync(path),
      () => stat(path),
    );
  }

  readlink(path: string): Awaitable<string> {
    return this.#either(
      `Reading the link ${path}`,
      () => fs.readlinkSync(path),
      () => fs.promises.readlink(path),
    );
  }

  openCanonical(path: string): Awaitable<OpenedFile> {
    return openCanonical(path, this.#proof, this.#calls);
  }

  openDirect(path: string, moment?: Moment): OpenedFile | null {
    if (!this.blocking || !this.#proof.descriptorPaths) return null;
    return moment === undefined ? openDirect(path) : moment.open(path, openDirect);
  }

  peek(path: string, moment?: Moment): FileStat | null {
    if (!this.blocking) return null;
    return moment === undefined ? peek(path) : moment.stat(path, peek);
  }

  list(path: string, limit: number): Awaitable<readonly DirectoryEntry[]> {
    return this.#either(
      `Listing ${path}`,
      () => listSync(path, limit),
      () => list(path, limit),
    );
  }

  async read(path: string, limit: number): Promise<Uint8Array> {
    return await guarded(`Reading ${path}`, async () => {
      const file = await openDescriptor(path, READ_FLAGS, this.#calls);
      try {
        return await readWhole(file, path, limit);
      } finally {
        file.close();
      }
    });
  }

  async replace(path: string, bytes: Uint8Array, mode: number): Promise<void> {
    await guarded(`Writing ${path}`, () => replaceFile(path, bytes, mode));
  }

  async create(path: string, bytes: Uint8Array, mode: number): Promise<void> {
    await guarded(`Creating ${path}`, () => createFile(path, bytes, mode));
  }

  async makeDirectory(path: string, mode: number): Promise<void> {
    await guarded(`Making the directory ${path}`, () => makeDirectories(path, mode));
  }

  async rename(from: string, to: string): Promise<void> {
    await guarded(`Renaming ${from}`, async () => {
      await fs.promises.rename(from, to);
      await syncDirectory(join(to, ".."));
    });
  }

  async remove(path: string): Promise<void> {
    await guarded(`Removing ${path}`, async () => {
      try {
        await fs.promises.unlink(path);
      } catch (error) {
        if (hostError(error, "").code !== "not_found") throw error;
      }
    });
  }

  get #calls(): FileCalls {
    return this.blocking ? callsAtOnce : callsLater;
  }

  #either<T>(doing: string, sync: () => T, later: () => Promise<T>): Awaitable<T> {
    if (!this.blocking) return guarded(doing, later);
    try {
      return sync();
    } catch (error) {
      throw hostError(error, doing);
    }
  }
}

function peek(path: string): FileStat | null {
  try {
    return lstatIfThere(path);
  } catch {
    return null;
  }
}

async function guarded<T>(doing: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw hostError(error, doing);
  }
}

async function readWhole(file: OpenedFile, path: string, limit: number): Promise<Uint8Array> {
  const { kind, size } = file.stat;
  if (kind === "directory") throw new HostError("is_a_directory", `${path} is a directory`);
  if (kind !== "file") throw new HostError("invalid_path", `${path} is not a regular file`);
  if (size > limit) throw tooLarge(path, limit);
  // One byte more than expected shows whether the file is growing.
  let bytes = new Uint8Array(size + 1);
  let filled = 0;
  while (true) {
    const count = await file.read(bytes.subarray(filled), filled);
    filled += count;
    if (count === 0) return bytes.subarray(0, filled);
    if (filled > limit) throw tooLarge(path, limit);
    if (filled < bytes.length) continue;
    const larger = new Uint8Array(bytes.length * 2);
    larger.set(bytes);
    bytes = larger;
  }
}

function tooLarge(path: string, limit: number): HostError {
  return new HostError("too_large", `${path} is larger than ${limit} bytes`);
}

function listSync(path: string, limit: number): readonly DirectoryEntry[] {
  const entries: DirectoryEntry[] = [];
  const directory = fs.opendirSync(path);
  try {
    while (entries.length < limit) {
      const entry = directory.readSync();
      if (entry === null) break;
      if (isSoundName(path, entry.name)) entries.push({ name: entry.name, kind: kindOf(entry) });
    }
  } finally {
    directory.closeSync();
  }
  return entries;
}

async function list(path: string, limit: number): Promise<readonly DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  const directory = await fs.promises.opendir(path);
  try {
    while (entries.length < limit) {
      const entry = await directory.read();
      if (entry === null) break;
      if (isSoundName(path, entry.name)) entries.push({ name: entry.name, kind: kindOf(entry) });
    }
  } finally {
    await directory.close();
  }
  return entries;
}

/**
 * Whether an entry can be reached by its name. The runtimes turn bytes that are not UTF-8 into
 * U+FFFD, which then names nothing; a name that really has that character is there.
 */
function isSoundName(directory: string, name: string): boolean {
  if (!name.includes("\ufffd")) return Buffer.from(name, "utf8").toString("utf8") === name;
  try {
    fs.lstatSync(join(directory, name));
    return true;
  } catch {
    return false;
  }
}
