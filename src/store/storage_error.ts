/**
 * Tells SQLite's errors apart by their text: Deno gives no `errcode` (`facts/anchors.md` §0.2).
 *
 * @module
 */

import { Fault } from "../fault.ts";

/** Primary result codes that are about the disk, the file or its locks, not about a statement. */
export type StorageProblem = "corrupt" | "full" | "locked" | "other";

const PROBLEMS: readonly (readonly [string, StorageProblem])[] = [
  ["database or disk is full", "full"],
  ["database is locked", "locked"],
  ["database disk image is malformed", "corrupt"],
  ["malformed database schema", "corrupt"],
  ["file is not a database", "corrupt"],
  ["disk I/O error", "other"],
  ["attempt to write a readonly database", "other"],
  ["unable to open database file", "other"],
  ["out of memory", "other"],
  ["locking protocol", "other"],
];

/** What an error says about the storage; `null` for every other error. */
export function storageProblem(error: unknown): StorageProblem | null {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_SQLITE_ERROR") {
    return null;
  }
  return PROBLEMS.find(([text]) => error.message.includes(text))?.[1] ?? null;
}

/**
 * The refusal for an error of the storage: `storage_full` or `storage_unavailable`. Every other
 * error is given back as it is.
 */
export function storageFault(error: unknown): unknown {
  const problem = storageProblem(error);
  if (problem === null) return error;
  if (problem === "full") {
    return new Fault("storage_full", "The disk that holds the home is full; nothing was stored", {
      hint: "Free some space, then try again.",
      cause: error,
    });
  }
  return new Fault("storage_unavailable", "The home's database can't be used at the moment", {
    hint: "See the server's log; `holon doctor` checks the home.",
    cause: error,
  });
}
