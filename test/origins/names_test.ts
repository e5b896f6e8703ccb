import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { Fault } from "../../src/fault.ts";
import { createHomeKey } from "../../src/origins/home_key.ts";
import { createOriginNames } from "../../src/origins/names.ts";
import { createSqliteOriginStore } from "../../src/origins/store_sqlite.ts";
import { openHomeDatabase } from "../../src/store/open_home_database.ts";
import { plainFiles } from "../support/fake_host.ts";
import { tempDirectory } from "../support/temp_home.ts";

const CARD = { agentId: "main", appId: "card" };

describe("createOriginNames()", () => {
  const home = tempDirectory();
  const { database } = openHomeDatabase({ home: home.path, now: Date.now, onError: () => {} });
  const store = createSqliteOriginStore(database);
  after(async () => {
    await database.close();
    home.remove();
  });

  /** A hash whose first eight digits are the same for every app. */
  const colliding = (purpose: string) =>
    Promise.resolve(
      Uint8Array.from({ length: 32 }, (_, index) => index < 4 ? 0xaa : purpose.length + index),
    );

  it("gives an app one name for good, which leads back to it", async () => {
    const names = createOriginNames(store, createHomeKey(plainFiles(), home.path));
    assert.equal(names.appAt("card-00000000"), null);
    const label = await names.labelOf(CARD);
    assert.match(label, /^card-[0-9a-f]{8}$/);
    assert.equal(await names.labelOf(CARD), label);
    assert.deepEqual(names.appAt(label), CARD);
    const again = createOriginNames(store, () => Promise.reject(new Error("not asked")));
    assert.equal(await again.labelOf(CARD), label);
    assert.deepEqual(again.appAt(label), CARD);
  });

  it("gives apps of the same id and hash names of their own", async () => {
    const names = createOriginNames(store, colliding);
    const apps = ["a", "bb", "ccc"].map((agentId) => ({ agentId, appId: "game" }));
    const labels = await Promise.all(apps.map((app) => names.labelOf(app)));
    assert.equal(new Set(labels).size, 3);
    assert.equal(labels.filter((label) => label === "game-aaaaaaaa").length, 1);
    for (const [index, app] of apps.entries()) {
      assert.deepEqual(names.appAt(labels[index] ?? ""), app);
    }
  });

  it("tells names by a secret of the home", async () => {
    const other = tempDirectory();
    try {
      const derive = createHomeKey(plainFiles(), other.path);
      const mine = createHomeKey(plainFiles(), home.path);
      assert.notDeepEqual(await derive("x"), await mine("x"));
      assert.deepEqual(await createHomeKey(plainFiles(), other.path)("x"), await derive("x"));
      assert.notDeepEqual(await derive("x"), await derive("y"));
      const path = join(other.path, "app_origins.key");
      assert.equal(statSync(path).mode & 0o777, 0o600);
    } finally {
      other.remove();
    }
  });

  it("uses no secret that others can read, or that is damaged", async () => {
    const other = tempDirectory();
    try {
      const path = join(other.path, "app_origins.key");
      const derive = createHomeKey(plainFiles(), other.path);
      writeFileSync(path, "a".repeat(64), { mode: 0o644 });
      await assert.rejects(derive("x"), (error) => {
        assert.ok(error instanceof Fault);
        assert.equal(error.code, "storage_unavailable");
        assert.match(error.hint ?? "", /chmod 600/);
        return true;
      });
      await plainFiles().replace(path, new TextEncoder().encode("short"), 0o600);
      await assert.rejects(derive("x"), /does not hold a key/);
      await plainFiles().replace(path, new TextEncoder().encode("b".repeat(64)), 0o600);
      assert.equal((await derive("x")).length, 32);
    } finally {
      other.remove();
    }
  });
});
