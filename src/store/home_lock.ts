/**
 * One writer process per home, by a lock that the kernel holds and that dies with the process.
 *
 * The lock is SQLite's own file lock on `<home>/run/lock`, an empty file that is never written:
 * the same on all three runtimes, on one inode whatever the path, free at once after `kill -9`,
 * and never mistaken for held because some other program was given the old pid.
 *
 * @module
 */

import { DatabaseSync } from "node:sqlite";
import { chmodSync, closeSync, lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import type { HostFiles } from "../host/types.ts";
import { HomeError } from "./home_error.ts";
import { readRunInfo, removeRunInfo, type RunInfo, writeRunInfo } from "./run_info.ts";
import { storageProblem } from "./storage_error.ts";

export { readRunInfo, type RunInfo } from "./run_info.ts";

/** The lock of a home, held until it is released or the process ends. */
export interface HomeLock {
  /**
   * Says where this process listens, for the CLI and for whoever finds the home locked. Gives a
   * sentence for the log where that can't be written; the lock holds all the same.
   */
  announce(info: RunInfo): Promise<string | null>;
  /**
   * Gives the lock back. A second call does nothing.
   *
   * @param leaveFiles for a home that is at another path by now, so that what is said there is not
   * ours
   */
  release(leaveFiles?: boolean): Promise<void>;
}

/**
 * Takes the lock of a home, creating `<home>/run/` (0700) for it.
 *
 * @throws {HomeError} `home_in_use`, naming the process that holds it where it can be told;
 * `home_unusable`, naming the file
 */
export async function acquireHomeLock(home: string, files: HostFiles): Promise<HomeLock> {
  const directory = join(home, "run");
  try {
    await files.makeDirectory(directory, 0o700);
  } catch (error) {
    throw unusable("run", error);
  }
  const held = lockFile(join(directory, "lock"), "run/lock");
  if (held === "busy") throw inUse(await readRunInfo(home, files));
  let released = false;
  return {
    async announce(info) {
      try {
        await writeRunInfo(home, files, info);
        return null;
      } catch {
        return "run/holon.json can't be written, so other commands can't find this server by " +
          "its home: remove what is there";
      }
    },
    async release(leaveFiles = false) {
      if (released) return;
      released = true;
      if (!leaveFiles) await removeRunInfo(home, files);
      held.close();
    },
  };
}

/**
 * Takes the lock that commands which start or stop a home's server hold meanwhile, so that they
 * work one after another; the home and its `run/` exist. It dies with the process.
 *
 * @returns a function that gives it back; `null` while another command holds it
 * @throws {HomeError} `home_unusable`
 */
export function tryLifecycleLock(home: string): (() => void) | null {
  const held = lockFile(join(home, "run", "daemon.lock"), "run/daemon.lock");
  return held === "busy" ? null : () => held.close();
}

/**
 * Tells whether a process holds the lock of a home, without waiting and without taking it for
 * longer than a moment. False for a home that was never served.
 */
export function isHomeLocked(home: string): boolean {
  const path = join(home, "run", "lock");
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.exec("PRAGMA busy_timeout = 0"); // Deno's default is 5 s.
    database.exec("SELECT 1 FROM sqlite_schema");
    return false;
  } catch (error) {
    return storageProblem(error) === "locked";
  } finally {
    database?.close();
  }
}

/** A second try is for a file that holds something, and for one that is only being looked at. */
const BUSY_TIMEOUT_MS = 200;

function lockFile(path: string, name: string): DatabaseSync | "busy" {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) closeSync(openSync(path, "a", 0o600));
    else if (!found.isFile()) throw new Error("it is not a regular file");
    else if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
    return lockDatabase(path);
  } catch (error) {
    if (storageProblem(error) === "locked") return "busy";
    if (storageProblem(error) !== "corrupt") throw unusable(name, error);
  }
  try {
    // Something wrote into it. Nobody holds it, or SQLite would have said so before it looked.
    closeSync(openSync(path, "w"));
    return lockDatabase(path);
  } catch (error) {
    if (storageProblem(error) === "locked") return "busy";
    throw unusable(name, error);
  }
}

function lockDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    // A journal is a file, which a full disk has no room for.
    database.exec("PRAGMA journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function inUse(info: RunInfo | null): HomeError {
  const who = info === null ? "Another Holon" : `Another Holon (pid ${info.pid})`;
  const where = info === null || info.address === null ? "" : ` at ${info.address}`;
  return new HomeError(
    "home_in_use",
    `${who} serves this home${where}: use that one, stop it first, or choose another home ` +
      "with --home",
  );
}

function unusable(name: string, cause: unknown): HomeError {
  return new HomeError(
    "home_unusable",
    `${name} in the home can't be used as Holon's lock: make sure that the home belongs to you ` +
      "and is writable, and remove that entry if it is damaged",
    cause,
  );
}
