/**
 * Small files as one version: read at once, and only if nobody wrote to them meanwhile.
 *
 * An agent writes its files while they are served. One that is rewritten in place is empty for a
 * moment, and one that changes between the look at its size and the read would be sent cut off, as
 * if it were whole.
 *
 * @module
 */

import { MemoryFile } from "../host/memory_file.ts";
import type { FileStat, OpenedFile } from "../host/types.ts";

/** Files up to this size are read at once. */
export const SMALL_BYTES: number = 64 * 1024;

/** Whether a look at a file may have hit the moment between emptying and writing it. */
export function mayBeMidway(stat: FileStat, now: number): boolean {
  return stat.size === 0 && Math.abs(now - stat.mtimeMs) < 2000;
}

/**
 * Reads `[start, end)` of a file into memory and gives it as a file that can't change; `null` when
 * the file isn't any more what it was when it was opened. The file that was given is closed by the
 * caller. Those for whom it was opened together read it once.
 */
export function readSteadily(file: OpenedFile, start: number, end: number): OpenedFile | null {
  const { sharing, stat } = file;
  const known = sharing?.copy ?? null;
  const again = known?.stat === stat ? known.copy(start, end) : null;
  if (again !== null) return again;
  const copy = readNow(file, start, end);
  if (sharing !== undefined) sharing.copy = copy;
  return copy;
}

// --- internal ---

function readNow(file: OpenedFile, start: number, end: number): MemoryFile | null {
  const copy = new MemoryFile(file.stat, start, end);
  let isSteady = false;
  try {
    isSteady = fill(copy.bytes, file, start) && isUnchanged(file);
  } finally {
    if (!isSteady) copy.close();
  }
  return isSteady ? copy : null;
}

/** Whether there was enough to read. */
function fill(bytes: Uint8Array, file: OpenedFile, start: number): boolean {
  let filled = 0;
  while (filled < bytes.byteLength) {
    const count = file.readSync(bytes.subarray(filled), start + filled);
    if (count === 0) return false;
    filled += count;
  }
  return true;
}

function isUnchanged(file: OpenedFile): boolean {
  const now = file.statNow();
  const { size, mtimeMs, ctimeMs } = file.stat;
  return now.size === size && now.mtimeMs === mtimeMs && now.ctimeMs === ctimeMs;
}
