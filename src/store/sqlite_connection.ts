/**
 * One SQLite connection with the settings that every database of a home has.
 *
 * @module
 */

import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { Sql, SqlRow, SqlValue } from "./types.ts";

/** How to open a connection. */
export interface ConnectionOptions {
  readonly path: string;
  /** Most pages that the file may have; tests make a full disk of it. */
  readonly maxPageCount?: number;
}

/** A connection whose statements are prepared once and kept. */
export interface Connection extends Sql {
  /** Runs statements that take no values and give no rows. */
  exec(sql: string): void;
  /** Whether a transaction is open: SQLite ends one by itself when the disk is full. */
  readonly inTransaction: boolean;
  close(): void;
}

/**
 * Opens a file in WAL mode. A commit is on disk when it returns (`synchronous=FULL`); the WAL is
 * written back by {@linkcode createWalKeeper} alone, never in the middle of a commit.
 *
 * @throws SQLite's own errors; `storage_error.ts` tells them apart
 */
export function openConnection(options: ConnectionOptions): Connection {
  const database = new DatabaseSync(options.path);
  try {
    database.exec("PRAGMA busy_timeout = 5000");
    const mode = database.prepare("PRAGMA journal_mode = WAL").get()?.["journal_mode"];
    if (mode !== "wal") throw new Error(`The database can't use a WAL (it uses "${mode}")`);
    database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA wal_autocheckpoint = 0;
      PRAGMA trusted_schema = OFF;
      PRAGMA temp_store = MEMORY;
    `);
    const { maxPageCount } = options;
    if (maxPageCount !== undefined) database.exec(`PRAGMA max_page_count = ${maxPageCount}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return wrap(database);
}

function wrap(database: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = database.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    get: (sql, ...values) => prepare(sql).get(...values) as SqlRow | undefined,
    all: (sql, ...values) => prepare(sql).all(...values) as SqlRow[],
    run: (sql: string, ...values: SqlValue[]) => {
      const { changes, lastInsertRowid } = prepare(sql).run(...values);
      return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
    },
    exec: (sql) => database.exec(sql),
    get inTransaction() {
      return database.isTransaction;
    },
    close: () => {
      statements.clear();
      database.close();
    },
  };
}
