import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { HomeError } from "../../src/store/home_error.ts";
import { openHomeDatabase } from "../../src/store/open_home_database.ts";
import { openConnection } from "../../src/store/sqlite_connection.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

const NOW = Date.UTC(2026, 2, 4, 5, 6, 7, 8);
const KEPT = "holon.db.corrupt-20260304T050607.008Z";

describe("openHomeDatabase()", () => {
  let directory: TempDirectory;
  let home: string;
  let path: string;

  beforeEach(() => {
    directory = tempDirectory();
    home = directory.path;
    path = join(home, "holon.db");
  });
  afterEach(() => directory.remove());

  const open = () => openHomeDatabase({ home, now: () => NOW });

  /** Opens, checks that the database is new and usable, closes; gives the notice. */
  async function openEmpty(): Promise<string | null> {
    const { database, notice } = open();
    assert.equal(database.read((sql) => sql.get("SELECT count(*) AS n FROM messages"))?.n, 0);
    await database.close();
    return notice;
  }

  async function fill(rows: number): Promise<void> {
    const { database } = open();
    await database.write((sql) => {
      for (let row = 0; row < rows; row++) {
        sql.run("INSERT INTO event_topics VALUES (?, ?)", `agent:${row}-${"x".repeat(50)}`, row);
      }
    });
    await database.close();
  }

  it("makes a database that only its owner can read, and opens it again", async () => {
    await fill(3);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const { database, notice } = open();
    assert.equal(statSync(`${path}-wal`).mode & 0o777, 0o600);
    assert.equal(notice, null);
    assert.equal(database.read((sql) => sql.get("SELECT count(*) AS n FROM event_topics"))?.n, 3);
    await database.close();
  });

  it("takes a database that others could read away from them", async () => {
    await fill(1);
    chmodSync(path, 0o644);
    await openEmpty();
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it("keeps what is not a database aside and says so", async () => {
    writeFileSync(path, "this is not a database".repeat(1000));
    writeFileSync(`${path}-wal`, "neither is this");
    const notice = await openEmpty();
    assert.match(notice ?? "", /damaged/);
    assert(notice?.includes(KEPT));
    assert.equal(readFileSync(join(home, KEPT), "utf8"), "this is not a database".repeat(1000));
    assert.equal(readFileSync(join(home, `${KEPT}-wal`), "utf8"), "neither is this");
    assert.equal(await openEmpty(), null);
  });

  it("never replaces what an earlier start kept", async () => {
    writeFileSync(path, "one");
    await openEmpty();
    rmSync(path);
    writeFileSync(path, "two");
    await openEmpty();
    assert.equal(readFileSync(join(home, KEPT), "utf8"), "one");
    assert.equal(readFileSync(join(home, `${KEPT}-1`), "utf8"), "two");
  });

  it("finds pages that were overwritten", async () => {
    await fill(2000);
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096 * 2, bytes.length - 4096);
    writeFileSync(path, bytes);
    assert.match((await openEmpty()) ?? "", /damaged/);
    assert.deepEqual(readFileSync(join(home, KEPT)), bytes);
  });

  it("finds a database that was cut short", async () => {
    await fill(2000);
    truncateSync(path, statSync(path).size - 4096 * 3);
    assert.match((await openEmpty()) ?? "", /damaged/);
  });

  it("keeps a WAL whose database is gone or empty", async () => {
    for (const empty of [false, true]) {
      if (empty) writeFileSync(path, "");
      else rmSync(path, { force: true });
      writeFileSync(`${path}-wal`, "pages of someone's messages");
      assert.match((await openEmpty()) ?? "", /damaged/);
    }
    const kept = readdirSync(home).filter((name) => name.endsWith("-wal"));
    assert.deepEqual(kept.sort(), [`${KEPT}-1-wal`, `${KEPT}-wal`].sort());
  });

  it("refuses a database of a newer Holon and leaves it alone", async () => {
    await fill(1);
    const connection = openConnection({ path });
    connection.exec("PRAGMA user_version = 1000");
    connection.close();
    assert.throws(open, (error) => error instanceof HomeError && error.code === "database_too_new");
    assert.deepEqual(readdirSync(home), ["holon.db"]);
  });

  it("refuses a directory or a link in the database's place in one sentence", () => {
    for (const make of [() => mkdirSync(path), () => symlinkSync("elsewhere", path)]) {
      rmSync(path, { recursive: true, force: true });
      make();
      assert.throws(open, (error) => {
        assert(error instanceof HomeError && error.code === "home_unusable");
        assert.match(error.message, /holon\.db can't be used: it is not a regular file/);
        return true;
      });
    }
    assert.equal(existsSync(join(home, "elsewhere")), false);
  });

  it("says that a full disk is full", () => {
    assert.throws(
      () => openHomeDatabase({ home, now: () => NOW, maxPageCount: 3 }),
      (error) => error instanceof HomeError && /disk is full/.test(error.message),
    );
  });
});
