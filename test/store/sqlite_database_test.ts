import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { Fault } from "../../src/fault.ts";
import { openSqliteDatabase, type SqliteDatabase } from "../../src/store/sqlite_database.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

describe("SqliteDatabase", () => {
  let directory: TempDirectory;
  let database: SqliteDatabase;

  beforeEach(async () => {
    directory = tempDirectory();
    database = openSqliteDatabase({ path: join(directory.path, "test.db"), maxPageCount: 64 });
    await database.write((sql) => sql.run("CREATE TABLE notes (text TEXT NOT NULL) STRICT"));
  });

  afterEach(async () => {
    await database.close();
    directory.remove();
  });

  const add = (text: string) =>
    database.write((sql) => sql.run("INSERT INTO notes VALUES (?)", text).lastInsertRowid);
  const texts = () =>
    database.read((sql) => sql.all("SELECT text FROM notes ORDER BY rowid").map((row) => row.text));

  it("commits to disk, not only to the system's memory (BR-38)", () => {
    const pragma = (name: string) =>
      database.read((sql) => Object.values(sql.get(`PRAGMA ${name}`) ?? {})[0]);
    assert.deepEqual(["journal_mode", "synchronous", "foreign_keys"].map(pragma), ["wal", 2, 1]);
  });

  it("write() shares one commit among the writes that wait together", async () => {
    const before = database.commits;
    const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => add(`n${index}`)));
    assert.equal(database.commits - before, 1);
    assert.deepEqual(ids, Array.from({ length: 50 }, (_, index) => index + 1));
  });

  it("write() undoes only its own changes when its work throws", async () => {
    const called: string[] = [];
    const results = await Promise.allSettled([
      add("first"),
      database.write((sql) => {
        sql.run("INSERT INTO notes VALUES ('lost')");
        sql.afterCommit(() => called.push("lost"));
        throw new Error("no");
      }),
      database.write((sql) => {
        sql.run("INSERT INTO notes VALUES ('last')");
        sql.afterCommit(() => called.push("last"));
      }),
    ]);
    assert.deepEqual(results.map((result) => result.status), [
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    assert.deepEqual(texts(), ["first", "last"]);
    assert.deepEqual(called, ["last"]);
  });

  it("write() calls back after the commit and before its promise resolves", async () => {
    const order: string[] = [];
    await database.write((sql) => {
      sql.run("INSERT INTO notes VALUES ('a')");
      sql.afterCommit(() => order.push(`committed ${texts().length}`));
      order.push("worked");
    }).then(() => order.push("resolved"));
    assert.deepEqual(order, ["worked", "committed 1", "resolved"]);
  });

  it("write() goes on when a callback after the commit throws", async () => {
    await database.write((sql) => sql.afterCommit(() => assert.fail("thrown on purpose")));
    await add("next");
    assert.deepEqual(texts(), ["next"]);
  });

  it("write() passes on the error of a broken constraint", async () => {
    await assert.rejects(
      database.write((sql) => sql.run("INSERT INTO notes VALUES (?)", null)),
      /NOT NULL constraint failed/,
    );
  });

  it("write() refuses with storage_full and keeps the others of its batch", async () => {
    const results = await Promise.allSettled([
      add("small"),
      add("x".repeat(1_000_000)),
      add("also small"),
    ]);
    const [, large] = results;
    assert.deepEqual(results.map((result) => result.status), [
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    assert(large?.status === "rejected" && large.reason instanceof Fault);
    assert.equal(large.reason.code, "storage_full");
    assert.equal(large.reason.status, 507);
    assert.deepEqual(texts(), ["small", "also small"]);
  });

  it("write() works again once there is space on a disk that was full", async () => {
    const accepted: string[] = [];
    const refused: unknown[] = [];
    for (let index = 0; index < 40; index++) {
      const text = `${index}:${"x".repeat(10_000)}`;
      await add(text).then(() => accepted.push(text), (error) => refused.push(error));
    }
    assert(accepted.length > 0 && refused.length > 0);
    assert.deepEqual(texts(), accepted);
    await database.write((sql) => sql.run("DELETE FROM notes"));
    await add("after");
    assert.deepEqual(texts(), ["after"]);
    const check = database.read((sql) => sql.get("PRAGMA integrity_check"));
    assert.equal(check?.integrity_check, "ok");
  });

  it("close() waits for the writes under way and refuses later ones", async () => {
    const pending = add("pending");
    await Promise.all([database.close(), pending]);
    await assert.rejects(
      add("late"),
      (error) => error instanceof Fault && error.code === "runtime_shutting_down",
    );
    assert.throws(() => texts(), Fault);
    database = openSqliteDatabase({ path: join(directory.path, "test.db") });
    assert.deepEqual(texts(), ["pending"]);
  });
});
