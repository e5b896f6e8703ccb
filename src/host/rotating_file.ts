/**
 * A file that lines are appended to, begun anew once it is large; a few old ones are kept.
 *
 * @module
 */

import * as fs from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";

/** What file, and how much of it. */
export interface RotatingFileOptions {
  readonly path: string;
  /** A file is not appended to past this size, unless one call alone writes more. */
  readonly maxBytes: number;
  /** Old files that are kept, as `path.1` (the newest) and so on. */
  readonly keep: number;
}

/** Appends to a file. */
export interface RotatingFile {
  /**
   * Appends all bytes, or none; the call before has to have ended.
   *
   * @throws the system's error, such as that of a full disk; the next call tries anew
   */
  write(bytes: Uint8Array): Promise<void>;
  /** Gives the file back; a later write opens it again. */
  close(): void;
}

const open = promisify(fs.open);
const close = promisify(fs.close);
const fstat = promisify(fs.fstat);
const stat = promisify(fs.stat);
const rename = promisify(fs.rename);
const truncate = promisify(fs.ftruncate);

/**
 * Makes the appender; nothing is opened before the first write. This process alone may append to
 * the file. Whoever moves or removes it (logrotate, a person) gets it begun anew; where the folder
 * itself is another one by now, the open file goes on being used and nothing is made there.
 */
export function createRotatingFile(options: RotatingFileOptions): RotatingFile {
  let file: Opened | null = null;

  async function current(): Promise<Opened> {
    if (file === null) return file = await openFile(options.path, null);
    if (await isAt(options.path, file)) return file;
    const next = await openFile(options.path, file.folder).catch(() => null);
    if (next === null) return file;
    await close(file.descriptor).catch(() => {});
    return file = next;
  }

  return {
    async write(bytes) {
      let target = await current();
      if (target.size > 0 && target.size + bytes.byteLength > options.maxBytes) {
        target = file = await begunAnew(options, target);
      }
      await append(target, bytes);
    },
    close() {
      if (file !== null) fs.close(file.descriptor, () => {});
      file = null;
    },
  };
}

// --- internal ---

interface Inode {
  readonly dev: number;
  readonly ino: number;
}

interface Opened extends Inode {
  readonly descriptor: number;
  readonly folder: Inode;
  size: number;
  /** Whether it ends within a line. */
  torn: boolean;
}

const LINE_END = new Uint8Array([10]);
const APPEND = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND;

/** @param folder that the file has to be in; `null` for whichever is there */
async function openFile(path: string, folder: Inode | null): Promise<Opened> {
  const found = await stat(dirname(path));
  if (folder !== null && !isSame(found, folder)) throw new Error("The folder is another one");
  const descriptor = await open(path, APPEND, 0o600);
  try {
    const { dev, ino, size } = await fstat(descriptor);
    const inFolder = { dev: found.dev, ino: found.ino };
    return { descriptor, dev, ino, size, folder: inFolder, torn: false };
  } catch (error) {
    await close(descriptor).catch(() => {});
    throw error;
  }
}

async function isAt(path: string, file: Opened): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found === null || !isSame(found, file)) return false;
  // Somebody may have emptied it.
  file.size = found.size;
  return true;
}

function isSame(one: Inode, other: Inode): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** Renames the old files by one and opens a new one; the full one is used on where that fails. */
async function begunAnew({ path, keep }: RotatingFileOptions, full: Opened): Promise<Opened> {
  try {
    if (!isSame(await stat(dirname(path)), full.folder)) return full;
    for (let age = keep - 1; age >= 1; age--) {
      await rename(`${path}.${age}`, `${path}.${age + 1}`).catch(ignoreMissing);
    }
    if (keep >= 1) await rename(path, `${path}.1`);
    else await promisify(fs.unlink)(path);
    const next = await openFile(path, full.folder);
    await close(full.descriptor).catch(() => {});
    return next;
  } catch {
    return full;
  }
}

function ignoreMissing(error: unknown): void {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return;
  throw error;
}

async function append(file: Opened, bytes: Uint8Array): Promise<void> {
  let written = 0;
  try {
    if (file.torn) await writePart(file, LINE_END);
    file.torn = false;
    while (written < bytes.byteLength) written += await writePart(file, bytes.subarray(written));
    file.size += written;
  } catch (error) {
    await takeBack(file);
    throw error;
  }
}

/** Removes what was written of lines that then found no room; Deno doesn't tell how much. */
async function takeBack(file: Opened): Promise<void> {
  try {
    const { size } = await fstat(file.descriptor);
    if (size > file.size) await truncate(file.descriptor, file.size);
  } catch {
    file.torn = true;
  }
}

function writePart({ descriptor }: Opened, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) =>
    fs.write(
      descriptor,
      bytes,
      0,
      bytes.byteLength,
      null,
      (error, count) => error ? reject(error) : resolve(count),
    )
  );
}
