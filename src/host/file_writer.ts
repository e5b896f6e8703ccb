/**
 * Writes files so that a crash leaves either the old content or the new.
 *
 * @module
 */

import { randomUUID } from "node:crypto";
import { close, constants, fchmod, fsync, open, rename, unlink, write } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";

const openFile = promisify(open);
const closeFile = promisify(close);
const changeMode = promisify(fchmod);
const syncFile = promisify(fsync);
const renameFile = promisify(rename);
const unlinkFile = promisify(unlink);

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Writes a new file and makes it durable. A file that can't be written whole is removed again.
 *
 * @param mode exact permissions, whatever the umask
 */
export async function createFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const descriptor = await openFile(path, NEW_FILE, 0o600);
  try {
    try {
      await writeAll(descriptor, bytes);
      await changeMode(descriptor, mode);
      await syncFile(descriptor);
    } finally {
      await closeFile(descriptor);
    }
  } catch (error) {
    await unlinkFile(path).catch(() => {});
    throw error;
  }
}

/** Replaces a file in one step, durably, by way of a hidden temporary file beside it. */
export async function replaceFile(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const directory = dirname(path);
  // A long name gets a short stand-in, so that the temporary one is not too long.
  const temporary = join(directory, `.${basename(path).slice(0, 64)}.${randomUUID()}.tmp`);
  await createFile(temporary, bytes, mode);
  try {
    await renameFile(temporary, path);
  } catch (error) {
    await unlinkFile(temporary).catch(() => {});
    throw error;
  }
  await syncDirectory(directory);
}

/** Makes the entries of a directory durable. */
export async function syncDirectory(path: string): Promise<void> {
  const descriptor = await openFile(path, constants.O_RDONLY);
  try {
    await syncFile(descriptor);
  } finally {
    await closeFile(descriptor);
  }
}

async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    offset += await writeSome(descriptor, bytes.subarray(offset));
  }
}

function writeSome(descriptor: number, bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(descriptor, bytes, 0, bytes.length, null, (error, count) => {
      if (error) reject(error);
      else resolve(count);
    });
  });
}
