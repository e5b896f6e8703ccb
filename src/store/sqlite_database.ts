/**
 * The database of a home over `node:sqlite`, with group commit.
 *
 * @module
 */

import { setImmediate } from "node:timers";
import { Fault } from "../fault.ts";
import { type Connection, type ConnectionOptions, openConnection } from "./sqlite_connection.ts";
import { storageFault } from "./storage_error.ts";
import type { Database, Sql, Transaction } from "./types.ts";
import { createWalKeeper, type WalKeeper, type WalLimits } from "./wal_keeper.ts";

/** How to open a {@linkcode SqliteDatabase}. */
export interface SqliteOptions extends ConnectionOptions {
  readonly walLimits?: WalLimits;
  /** Told of failures that have no caller: a callback after a commit, or writing back the WAL. */
  readonly onError?: (error: unknown) => void;
}

/** The most writes that share a commit, so that one commit never takes long. */
const MAX_BATCH = 256;

/** A write that waits, and how it went once its batch was run. */
interface Job {
  readonly work: (transaction: Transaction) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

type Outcome =
  | { readonly done: true; readonly value: unknown; readonly callbacks: readonly (() => void)[] }
  | { readonly done: false; readonly reason: unknown };

/** Opens or creates a database file in WAL mode. */
export function openSqliteDatabase(options: SqliteOptions): SqliteDatabase {
  return new SqliteDatabase(openConnection(options), options);
}

/** A {@linkcode Database} over one SQLite connection. */
export class SqliteDatabase implements Database {
  readonly #connection: Connection;
  readonly #walKeeper: WalKeeper;
  readonly #onError: (error: unknown) => void;
  #waiting: Job[] = [];
  #scheduled = false;
  #paused: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #commits = 0;

  constructor(connection: Connection, options: SqliteOptions) {
    this.#connection = connection;
    this.#walKeeper = createWalKeeper(connection, options.path, options.walLimits);
    this.#onError = options.onError ?? (() => {});
  }

  /** Commits so far: fewer than writes where those shared one. */
  get commits(): number {
    return this.#commits;
  }

  read<T>(work: (sql: Sql) => T): T {
    if (this.#closed) throw closedFault();
    try {
      return work(this.#connection);
    } catch (error) {
      throw storageFault(error);
    }
  }

  write<T>(work: (transaction: Transaction) => T): Promise<T> {
    if (this.#closed) return Promise.reject(closedFault());
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      this.#schedule();
    });
  }

  close(): Promise<void> {
    if (this.#closed) return Promise.resolve();
    this.#closed = true;
    clearTimeout(this.#paused);
    while (this.#waiting.length > 0) this.#commitWaiting();
    try {
      this.#connection.close();
    } catch (error) {
      return Promise.reject(storageFault(error));
    }
    return Promise.resolve();
  }

  /**
   * Commits after the I/O that is ready now has been handled, so that requests which arrived
   * together, or while the last commit was under way, share the next one.
   */
  #schedule(): void {
    if (this.#scheduled || this.#paused !== undefined || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#closed) return;
      this.#commitWaiting();
      this.#keepWal();
    });
  }

  #keepWal(): void {
    let pauseMs = 0;
    try {
      pauseMs = this.#walKeeper.step();
    } catch (error) {
      this.#onError(error);
    }
    this.#paused = pauseMs === 0 ? undefined : setTimeout(() => this.#keepWal(), pauseMs);
    this.#schedule();
  }

  #commitWaiting(): void {
    const batch = this.#waiting.splice(0, MAX_BATCH);
    const [first] = batch;
    if (first === undefined) return;
    const reason = this.#commit(batch);
    if (reason === undefined) return;
    // The transaction was lost as a whole, e.g. since the disk is full: those that can, go alone.
    if (batch.length === 1) first.reject(reason.error);
    else for (const job of batch) this.#commitAlone(job);
  }

  #commitAlone(job: Job): void {
    const reason = this.#commit([job]);
    if (reason !== undefined) job.reject(reason.error);
  }

  /** Runs jobs in one transaction; gives why where the transaction as a whole was lost. */
  #commit(jobs: readonly Job[]): { readonly error: unknown } | undefined {
    const outcomes: Outcome[] = [];
    try {
      this.#connection.run("BEGIN IMMEDIATE");
      for (const job of jobs) outcomes.push(this.#run(job));
      this.#connection.run("COMMIT");
    } catch (error) {
      this.#rollBack();
      return { error: storageFault(error) };
    }
    this.#commits++;
    for (const outcome of outcomes) if (outcome.done) this.#callBack(outcome.callbacks);
    jobs.forEach((job, index) => {
      const outcome = outcomes[index];
      if (outcome?.done === true) job.resolve(outcome.value);
      else job.reject(outcome?.reason);
    });
    return undefined;
  }

  /** Runs one job under its savepoint. Throws only when the whole transaction is lost. */
  #run(job: Job): Outcome {
    const callbacks: (() => void)[] = [];
    const { get, all, run } = this.#connection;
    this.#connection.run("SAVEPOINT job");
    try {
      const value = job.work({
        get,
        all,
        run,
        afterCommit: (callback) => callbacks.push(callback),
      });
      this.#connection.run("RELEASE job");
      return { done: true, value, callbacks };
    } catch (error) {
      if (!this.#connection.inTransaction) throw error;
      this.#connection.run("ROLLBACK TO job");
      this.#connection.run("RELEASE job");
      return { done: false, reason: storageFault(error) };
    }
  }

  #rollBack(): void {
    try {
      if (this.#connection.inTransaction) this.#connection.exec("ROLLBACK");
    } catch (error) {
      this.#onError(error);
    }
  }

  #callBack(callbacks: readonly (() => void)[]): void {
    for (const callback of callbacks) {
      try {
        callback();
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

function closedFault(): Fault {
  return new Fault("runtime_shutting_down", "Holon is shutting down", {
    hint: "Try again in a moment.",
  });
}
