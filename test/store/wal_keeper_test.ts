import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type Connection, openConnection } from "../../src/store/sqlite_connection.ts";
import { openSqliteDatabase } from "../../src/store/sqlite_database.ts";
import { createWalKeeper } from "../../src/store/wal_keeper.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

function rethrow(error: unknown): never {
  throw error;
}

const LIMITS = { maxBytes: 100_000, pauseMs: () => 5 };

describe("createWalKeeper()", () => {
  let directory: TempDirectory;
  let path: string;
  let connection: Connection;
  let rows: number;

  beforeEach(() => {
    directory = tempDirectory();
    path = join(directory.path, "live.db");
    connection = openConnection({ path });
    connection.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT");
    rows = 0;
  });

  afterEach(() => {
    connection.close();
    directory.remove();
  });

  function grow(): void {
    while (statSync(`${path}-wal`).size < LIMITS.maxBytes) {
      connection.run("INSERT INTO notes VALUES (?, ?)", ++rows, "x".repeat(3000));
    }
  }

  /** A copy that read one file at one moment and the other at another. */
  interface Copy {
    readonly database: number;
    readonly wal: number;
  }

  it("leaves every copy usable that is no slower than a pause", () => {
    const keeper = createWalKeeper(connection, path, LIMITS);
    const step = () => void keeper.step();
    const least: number[] = [];
    const look = () => {
      copyFileSync(path, `${path}.${least.length}`);
      copyFileSync(`${path}-wal`, `${path}-wal.${least.length}`);
      least.push(rows);
    };
    look();
    for (const act of [grow, step, step, step, step, grow]) {
      act();
      look();
    }
    const problemOf = ({ database, wal }: Copy): string | null => {
      const to = join(directory.path, `copy-${database}-${wal}.db`);
      copyFileSync(`${path}.${database}`, to);
      copyFileSync(`${path}-wal.${wal}`, `${to}-wal`);
      const copy = openConnection({ path: to });
      try {
        const check = Object.values(copy.get("PRAGMA integrity_check") ?? {})[0];
        if (check !== "ok") return String(check);
        const row = copy.get("SELECT count(*) AS n, max(id) AS newest FROM notes");
        const needed = least[Math.min(database, wal)] ?? 0;
        if (row?.n !== (row?.newest ?? 0) || Number(row?.n) < needed) return JSON.stringify(row);
        return null;
      } catch (error) {
        return String(error);
      } finally {
        copy.close();
      }
    };
    // Pauses are at the moments 2, 3 and 4: no copy begins before one and ends after it.
    const possible: Copy[] = [];
    for (let first = 0; first < least.length; first++) {
      for (let second = first; second < least.length; second++) {
        if ([2, 3, 4].some((pause) => first < pause && pause < second)) continue;
        possible.push({ database: first, wal: second }, { database: second, wal: first });
      }
    }
    assert.equal(possible.length, 2 * (7 + 8));
    for (const copy of possible) assert.equal(problemOf(copy), null, JSON.stringify(copy));
    // The same look does find what is wrong with a copy that was too slow.
    assert.notEqual(problemOf({ database: 1, wal: 4 }), null);
  });

  it("waits for the WAL to be large, cuts it, and starts over", () => {
    const keeper = createWalKeeper(connection, path, LIMITS);
    assert.equal(keeper.step(), 0);
    for (let round = 0; round < 2; round++) {
      grow();
      assert.deepEqual(Array.from({ length: 4 }, () => keeper.step()), [5, 5, 5, 0]);
      assert.equal(statSync(`${path}-wal`).size, 0);
      assert.equal(connection.get("SELECT count(*) AS n FROM notes")?.n, rows);
    }
  });

  it("loses nothing when the process ends between two steps", () => {
    grow();
    const keeper = createWalKeeper(connection, path, LIMITS);
    for (let step = 0; step < 4; step++) {
      keeper.step();
      const to = join(directory.path, `crash${step}`);
      mkdirSync(to);
      for (const suffix of ["", "-wal", "-shm"]) {
        copyFileSync(path + suffix, join(to, `live.db${suffix}`));
      }
      const copy = openConnection({ path: join(to, "live.db") });
      assert.equal(copy.get("SELECT count(*) AS n FROM notes")?.n, rows);
      copy.close();
    }
  });

  it("lets the database go on writing after each round", async () => {
    const file = join(directory.path, "busy.db");
    const database = openSqliteDatabase({ path: file, walLimits: LIMITS, onError: rethrow });
    await database.write((sql) => sql.run("CREATE TABLE notes (text TEXT) STRICT"));
    let largest = 0;
    for (let index = 0; index < 100; index++) {
      await database.write((sql) => sql.run("INSERT INTO notes VALUES (?)", "y".repeat(5000)));
      largest = Math.max(largest, statSync(`${file}-wal`).size);
    }
    assert(largest < LIMITS.maxBytes + 50_000, `the WAL grew to ${largest}`);
    assert.equal(database.read((sql) => sql.get("SELECT count(*) AS n FROM notes"))?.n, 100);
    await database.close();
    assert.equal(existsSync(`${file}-wal`), false);
  });
});
