/**
 * The end of a log that is spread over a file and its older generations.
 *
 * @module
 */

import { type FileHandle, open } from "node:fs/promises";

/** Read of all files together, in bytes. */
const SCANNED_BYTES = 128 * 1024;
/** A line has at most so many characters. */
export const MAX_LINE = 8192;

/** A place in a file, which may have another name by now. */
export interface LogPosition {
  readonly ino: number;
  /** Of the first byte that was not read; the begin of a line. */
  readonly offset: number;
}

/** The last lines, in order. */
export interface Tail {
  readonly lines: readonly string[];
  /** Where the newest file goes on. */
  readonly position: LogPosition;
}

/**
 * Reads the last `count` lines that are whole.
 *
 * @param paths the file, then its older generations
 * @returns `null` when the first file is missing
 */
export async function lastLines(paths: readonly string[], count: number): Promise<Tail | null> {
  let lines: string[] = [];
  let position: LogPosition | null = null;
  let room = SCANNED_BYTES;
  for (const path of paths) {
    const file = await open(path).catch(() => null);
    if (file === null) break;
    try {
      const { ino, size, text, isCut } = await readEnd(file, room);
      const found = text.split("\n");
      const rest = found.pop() ?? "";
      position ??= { ino, offset: size - new TextEncoder().encode(rest).byteLength };
      if (isCut) found.shift();
      lines = [...found, ...lines];
      room -= text.length;
      if (isCut || lines.length >= count || room <= 0) break;
    } finally {
      await file.close();
    }
  }
  if (position === null) return null;
  const wanted = count === 0 ? [] : lines.slice(-count);
  return { lines: wanted.map((line) => line.slice(0, MAX_LINE)), position };
}

interface End {
  readonly ino: number;
  readonly size: number;
  readonly text: string;
  /** Whether it begins within the file. */
  readonly isCut: boolean;
}

async function readEnd(file: FileHandle, room: number): Promise<End> {
  const { ino, size } = await file.stat();
  const length = Math.min(size, room);
  const view = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await file.read(view, read, length - read, size - length + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  const text = new TextDecoder().decode(view.subarray(0, read));
  return { ino, size: size - length + read, text, isCut: length < size };
}
