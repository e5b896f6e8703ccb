/**
 * Follows a log file while it is written to, also when it is begun anew under its name.
 *
 * @module
 */

import { type FileHandle, open, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type LogPosition, MAX_LINE } from "./tail.ts";

/** Between two looks, in ms. */
const EVERY_MS = 200;
const CHUNK = 64 * 1024;

/**
 * Calls `onLine` with each line that is added, until `ended` resolves. A file that is missing is
 * waited for.
 *
 * @param from where to begin; `null` for the begin of whatever file comes
 */
export async function followLines(
  path: string,
  from: LogPosition | null,
  onLine: (line: string) => void,
  ended: Promise<void>,
): Promise<void> {
  let isEnded = false;
  void ended.then(() => isEnded = true);
  let reader: Reader | null = null;
  let start = from;
  try {
    while (!isEnded) {
      if (reader === null) {
        reader = await openReader(path, start);
        if (reader !== null) start = null;
      }
      if (reader !== null) {
        // First what is left of the old file, then the new one, so that no line is lost.
        const isReplaced = await inodeOf(path) !== reader.ino;
        await reader.read(onLine);
        if (isReplaced) {
          await reader.file.close();
          reader = null;
          if (await inodeOf(path) !== null) continue;
        }
      }
      await Promise.race([delay(EVERY_MS), ended]);
    }
  } finally {
    await reader?.file.close();
  }
}

interface Reader {
  readonly file: FileHandle;
  readonly ino: number;
  /** Hands over all whole lines that are there. */
  read(onLine: (line: string) => void): Promise<void>;
}

async function openReader(path: string, from: LogPosition | null): Promise<Reader | null> {
  const isOlder = from !== null && await inodeOf(path) !== from.ino &&
    await inodeOf(`${path}.1`) === from.ino;
  const file = await open(isOlder ? `${path}.1` : path).catch(() => null);
  if (file === null) return null;
  const { ino } = await file.stat();
  let offset = from?.ino === ino ? from.offset : 0;
  let rest = "";
  let decoder = new TextDecoder();
  const view = new Uint8Array(CHUNK);
  return {
    file,
    ino,
    async read(onLine) {
      if ((await file.stat()).size < offset) {
        // Somebody emptied it.
        offset = 0;
        rest = "";
        decoder = new TextDecoder();
      }
      for (;;) {
        const { bytesRead } = await file.read(view, 0, CHUNK, offset);
        if (bytesRead === 0) return;
        offset += bytesRead;
        const lines = (rest + decoder.decode(view.subarray(0, bytesRead), { stream: true }))
          .split("\n");
        rest = (lines.pop() ?? "").slice(0, MAX_LINE);
        lines.forEach((line) => onLine(line.slice(0, MAX_LINE)));
      }
    },
  };
}

async function inodeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).ino;
  } catch {
    return null;
  }
}
