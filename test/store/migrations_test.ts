import assert from "node:assert/strict";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { HomeError } from "../../src/store/home_error.ts";
import { migrate, type Migration, MIGRATIONS } from "../../src/store/migrations.ts";
import { type Connection, openConnection } from "../../src/store/sqlite_connection.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

describe("migrate()", () => {
  let directory: TempDirectory;
  let connection: Connection;

  beforeEach(() => {
    directory = tempDirectory();
    connection = openConnection({ path: join(directory.path, "test.db") });
  });

  afterEach(() => {
    connection.close();
    directory.remove();
  });

  const tables = () =>
    connection.all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .map((row) => row.name);
  const version = () => connection.get("PRAGMA user_version")?.user_version;

  it("makes every table, and nothing the second time", () => {
    migrate(connection);
    const made = tables();
    migrate(connection);
    assert.deepEqual(tables(), made);
    for (const table of ["events", "messages", "sessions"]) assert(made.includes(table), table);
    assert.equal(version(), MIGRATIONS.length);
  });

  it("goes on from the version that the database has", () => {
    const first: Migration = { name: "one", sql: "CREATE TABLE one (a TEXT) STRICT" };
    const second: Migration = { name: "two", sql: "CREATE TABLE two (a TEXT) STRICT" };
    migrate(connection, [first]);
    migrate(connection, [first, second]);
    assert.deepEqual(tables(), ["one", "two"]);
  });

  it("undoes a step that fails as a whole", () => {
    const broken: Migration = { name: "b", sql: "CREATE TABLE half (a TEXT) STRICT; nonsense" };
    assert.throws(() => migrate(connection, [broken]), /nonsense/);
    assert.deepEqual(tables(), []);
    assert.equal(version(), 0);
    assert.equal(connection.inTransaction, false);
  });

  it("refuses a database of a newer version and leaves it as it is", () => {
    connection.exec("PRAGMA user_version = 99");
    assert.throws(
      () => migrate(connection),
      (error) =>
        error instanceof HomeError && error.code === "database_too_new" &&
        /schema 99/.test(error.message),
    );
    assert.equal(version(), 99);
  });
});
