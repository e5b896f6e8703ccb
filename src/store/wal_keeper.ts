/**
 * Writes the WAL back into the database such that a plain copy of the files stays usable.
 *
 * `cp -r` of a running home reads the database and its WAL one after the other, in either order.
 * That is safe as long as the WAL only grows. It is not safe while the WAL is written back and
 * begun anew: the copy could hold a database that is newer than its WAL, or an old database and
 * none of the frames that it lacks. So writes pause while that is done in steps, and the pauses
 * between them are long enough for a copy under way to end:
 *
 * 1. stop writing: from now on a copy of the WAL is whole;
 * 2. write the WAL back: the database is complete, and the WAL still holds the same pages;
 * 3. blank the WAL's header: a copy that reads it from now on ignores the WAL;
 * 4. cut the WAL to nothing and go on writing.
 *
 * A crash between any two steps loses nothing, since the database was synced in the second.
 *
 * @module
 */

import { closeSync, openSync, statSync, writeSync } from "node:fs";
import type { Connection } from "./sqlite_connection.ts";

/** When to write back, and how long a copy may take. */
export interface WalLimits {
  /** Bytes of WAL from which it is written back. */
  readonly maxBytes: number;
  /** Pause between two steps for files of this many bytes together, in ms. */
  readonly pauseMs: (bytes: number) => number;
}

/** The limits in use: 64 MiB; a copy is taken to run at 500 MB/s or better, and to end in 1 s. */
export const WAL_LIMITS: WalLimits = {
  maxBytes: 64 * 1024 * 1024,
  pauseMs: (bytes) => Math.min(1000, 50 + bytes / 500_000),
};

/** Keeps the WAL of one database small. */
export interface WalKeeper {
  /**
   * Takes the next step if one is due. Gives the ms that writes have to pause before the next
   * call, or 0 when they may go on.
   */
  step(): number;
}

const WAL_HEADER_BYTES = 32;

/** Makes the keeper of the WAL beside `path`, over the only connection to it. */
export function createWalKeeper(
  connection: Connection,
  path: string,
  limits: WalLimits = WAL_LIMITS,
): WalKeeper {
  let next: "blank" | "cut" | "stop" | "write_back" = "stop";
  let pause = 0;

  return {
    step() {
      const step = next;
      next = "stop"; // A step that fails starts over: blanking later would lose new frames.
      switch (step) {
        case "stop": {
          const bytes = sizeOf(`${path}-wal`);
          if (bytes < limits.maxBytes) return 0;
          pause = limits.pauseMs(bytes + sizeOf(path));
          next = "write_back";
          return pause;
        }
        case "write_back":
          if (!writeBack(connection)) return 0;
          next = "blank";
          return pause;
        case "blank":
          blankHeader(`${path}-wal`);
          next = "cut";
          return pause;
        case "cut":
          connection.all("PRAGMA wal_checkpoint(TRUNCATE)");
          return 0;
      }
    },
  };
}

/** Whether every frame of the WAL is in the database now, and on disk. */
function writeBack(connection: Connection): boolean {
  const row = connection.get("PRAGMA wal_checkpoint(PASSIVE)");
  return row !== undefined && row["busy"] === 0 && row["log"] === row["checkpointed"];
}

/** SQLite's locks are on the other two files, so opening and closing this one loses none. */
function blankHeader(path: string): void {
  const file = openSync(path, "r+");
  try {
    writeSync(file, new Uint8Array(WAL_HEADER_BYTES), 0, WAL_HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
