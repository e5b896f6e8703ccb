/**
 * Opens `<home>/holon.db`; a damaged one is kept aside and a new one begun.
 *
 * @module
 */

import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
} from "node:fs";
import { join } from "node:path";
import { HomeError } from "./home_error.ts";
import { migrate } from "./migrations.ts";
import { type Connection, openConnection } from "./sqlite_connection.ts";
import { SqliteDatabase, type SqliteOptions } from "./sqlite_database.ts";
import { storageProblem } from "./storage_error.ts";

/** How to open a home's database. */
export interface HomeDatabaseOptions extends Omit<SqliteOptions, "path"> {
  /** The home's directory; the caller holds its lock. */
  readonly home: string;
  /** Wall-clock time in ms since the epoch. */
  readonly now: () => number;
}

/** The database, and what the log has to say about how it was opened. */
export interface OpenedHomeDatabase {
  readonly database: SqliteDatabase;
  /** A sentence where a damaged database was kept aside. */
  readonly notice: string | null;
}

const NAME = "holon.db";
const SUFFIXES = ["", "-wal", "-shm"] as const;
const MAGIC = "SQLite format 3\0";

/** Files up to this size are checked at every start (about 10 ms), … */
const CHECK_ALWAYS_BYTES = 8 * 1024 * 1024;
/** … and up to this size when the last run didn't close them. */
const CHECK_AFTER_CRASH_BYTES = 128 * 1024 * 1024;

/**
 * Opens the database of a home, creates it with mode 0600 if there is none, and brings its schema
 * up to date. One that is damaged is renamed to `holon.db.corrupt-<UTC time>`, together with its
 * WAL, and never written to; a new one takes its place.
 *
 * @throws {HomeError} `home_unusable` or `database_too_new`
 */
export function openHomeDatabase(options: HomeDatabaseOptions): OpenedHomeDatabase {
  const path = join(options.home, NAME);
  const first = attempt(path, options);
  if ("connection" in first) {
    return { database: new SqliteDatabase(first.connection, { ...options, path }), notice: null };
  }
  const second = attempt(path, options);
  if (!("connection" in second)) throw unusable("it was damaged again right after it was made");
  return {
    database: new SqliteDatabase(second.connection, { ...options, path }),
    notice: `The database was damaged. It is kept in the home as ${first.kept}, and a new, empty ` +
      "one was begun.",
  };
}

type Attempt = { readonly connection: Connection } | { readonly kept: string };

function attempt(path: string, options: HomeDatabaseOptions): Attempt {
  const keep = () => ({ kept: setAside(options.home, options.now()) });
  let connection: Connection | undefined;
  try {
    const state = inspect(path);
    if (state === "damaged") return keep();
    connection = openConnection({ ...options, path });
    if (state === "check" && !isSound(connection)) {
      // Closing would write the WAL back and remove it, so the files are renamed first.
      const kept = keep();
      connection.close();
      return kept;
    }
    migrate(connection);
    return { connection };
  } catch (error) {
    const kept = storageProblem(error) === "corrupt" ? keep() : undefined;
    connection?.close();
    if (kept !== undefined) return kept;
    throw error instanceof HomeError ? error : unusable(reasonOf(error), error);
  }
}

/** Looks at the files before SQLite does, since opening a file that it mistrusts changes others. */
function inspect(path: string): "check" | "damaged" | "sound" {
  const wal = sizeOf(`${path}-wal`);
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    if (wal > 0) return "damaged";
    closeSync(openSync(path, "wx", 0o600));
    return "sound";
  }
  if (!found.isFile()) throw unusable("it is not a regular file");
  if ((found.mode & 0o077) !== 0) chmodSync(path, 0o600);
  if (found.size === 0) return wal > 0 ? "damaged" : "sound";
  if (!hasMagic(path)) return "damaged";
  if (found.size <= CHECK_ALWAYS_BYTES) return "check";
  return wal > 0 && found.size <= CHECK_AFTER_CRASH_BYTES ? "check" : "sound";
}

function hasMagic(path: string): boolean {
  const head = new Uint8Array(MAGIC.length);
  const file = openSync(path, "r");
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  return new TextDecoder("latin1").decode(head) === MAGIC;
}

function isSound(connection: Connection): boolean {
  const row = connection.get("PRAGMA quick_check(1)");
  return row !== undefined && Object.values(row)[0] === "ok";
}

/** Renames the database and what belongs to it; nothing that is there already is replaced. */
function setAside(home: string, now: number): string {
  const time = new Date(now).toISOString().replace(/[-:]/g, "");
  for (let attempt = 0;; attempt++) {
    const name = `${NAME}.corrupt-${time}${attempt === 0 ? "" : `-${attempt}`}`;
    if (SUFFIXES.some((suffix) => existsSync(join(home, name + suffix)))) continue;
    for (const suffix of SUFFIXES) {
      const from = join(home, NAME + suffix);
      if (existsSync(from)) renameSync(from, join(home, name + suffix));
    }
    return name;
  }
}

function sizeOf(path: string): number {
  return lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function unusable(reason: string, cause?: unknown): HomeError {
  return new HomeError(
    "home_unusable",
    `The home's database ${NAME} can't be used: ${reason}`,
    cause,
  );
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EACCES" || code === "EPERM") return "this user may not read or write it";
  if (code === "EROFS") return "the disk is read-only";
  if (code === "ENOSPC" || storageProblem(error) === "full") return "the disk is full";
  if (code === "ENOENT" || code === "ENOTDIR") return "the home is not a directory";
  if (storageProblem(error) === "locked") return "another program has it open";
  return error instanceof Error ? error.message.replace(/: \/.*$/, "") : "unknown error";
}
