/**
 * Writes the WAL back into the database such that a plain copy of the files stays usable.
 *
 * `cp -r` of a running home reads the database and its WAL one after the other. That is safe as
 * long as both only grow by appends. It is not safe across a reset of the WAL: a copy could hold
 * the database from before the write-back and the WAL from after the reset, or half of the old WAL
 * over a newer database. So writes pause while the reset is done in steps, each of which leaves
 * every copy that began before the step time to end:
 *
 * 1. write the WAL back: the database is complete, and the WAL still holds the same pages;
 * 2. after a pause blank the WAL's header: a copy that starts now ignores the WAL;
 * 3. after another pause cut the WAL to nothing and go on.
 *
 * A crash between any two steps loses nothing, since the database was synced in the first.
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
  let next: "blank" | "cut" | "write_back" = "write_back";
  let pause = 0;

  return {
    step() {
      const step = next;
      next = "write_back"; // A step that fails starts over: blanking later would lose new frames.
      if (step === "write_back") {
        const bytes = sizeOf(`${path}-wal`);
        if (bytes < limits.maxBytes || !writeBack(connection)) return 0;
        pause = limits.pauseMs(bytes + sizeOf(path));
        next = "blank";
      } else if (step === "blank") {
        blankHeader(`${path}-wal`);
        next = "cut";
      } else {
        connection.all("PRAGMA wal_checkpoint(TRUNCATE)");
        return 0;
      }
      return pause;
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
