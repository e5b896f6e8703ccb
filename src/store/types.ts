/**
 * The database as capabilities see it: reads at once, writes in transactions that are on disk when
 * they resolve.
 *
 * @module
 */

/** What can be bound to a statement. Booleans are bound as 0 and 1. */
export type SqlValue = Uint8Array | bigint | number | string | null;

/** A row, by column name. */
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Plain SQL over one connection; statements are prepared once and kept. */
export interface Sql {
  /** The first row, or `undefined`. */
  get(sql: string, ...values: SqlValue[]): SqlRow | undefined;
  /** All rows. */
  all(sql: string, ...values: SqlValue[]): SqlRow[];
  /** Runs a statement; gives the count of changed rows and the last row id. */
  run(sql: string, ...values: SqlValue[]): { changes: number; lastInsertRowid: number };
}

/** Plain SQL inside a transaction. */
export interface Transaction extends Sql {
  /** Runs a function once the transaction is on disk; not at all when it is rolled back. */
  afterCommit(callback: () => void): void;
}

/** The database of a home. One connection, one writer process. */
export interface Database {
  /** Runs reads at once; they see everything that was acknowledged. */
  read<T>(work: (sql: Sql) => T): T;
  /**
   * Runs `work` in a transaction and resolves to its result once that is on disk (fsync).
   * Writes that wait at the same time share a commit; each has a savepoint of its own, so that
   * one that throws undoes its own changes only. Where a shared commit is lost, `work` is run once
   * more on its own, so its only effects are those on the transaction and in `afterCommit`.
   *
   * @throws whatever `work` throws; {Fault} `storage_full` or `storage_unavailable`
   */
  write<T>(work: (transaction: Transaction) => T): Promise<T>;
  /** Waits for the writes under way, then closes. Later writes are refused. */
  close(): Promise<void>;
}
