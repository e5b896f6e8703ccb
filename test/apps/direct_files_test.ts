import assert from "node:assert/strict";
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { createAppService } from "../../src/apps/service.ts";
import { createHost } from "../../src/host/current.ts";
import type { App, AppService } from "../../src/apps/types.ts";
import { Fault } from "../../src/fault.ts";
import { tempDirectory } from "../support/temp_home.ts";

const MANIFEST = { id: "a", name: "First", version: "1", entry: "index.html" };

describe("requireForFiles(), once an app is known", () => {
  let home: string;
  let apps: string;
  let service: AppService;
  before(() => home = realpathSync(tempDirectory().path));
  after(() => rmSync(home, { recursive: true }));
  beforeEach(async () => {
    rmSync(join(home, "agents"), { recursive: true, force: true });
    apps = join(home, "agents/main/apps");
    mkdirSync(join(apps, "a/sub"), { recursive: true });
    writeFileSync(join(apps, "a/manifest.json"), JSON.stringify(MANIFEST));
    for (const name of ["index.html", "f.txt", "sub/g.txt"]) {
      writeFileSync(join(apps, "a", name), "inside");
    }
    mkdirSync(join(home, "elsewhere"), { recursive: true });
    writeFileSync(join(home, "elsewhere/f.txt"), "CANARY");
    service = createAppService({
      files: createHost().files,
      // Late enough that the manifest's times are trusted at once.
      clock: { now: () => Date.now() + 60_000 },
      agentsFolder: join(home, "agents"),
      manifestRequired: () => false,
    });
    assert.equal(await read("f.txt"), "inside");
    assert.equal(await read("f.txt"), "inside");
  });

  const app = (): Promise<App> => service.requireForFiles("main", "a");
  async function read(path: string): Promise<string> {
    try {
      const { file } = await (await app()).files.open(path.split("/"));
      const bytes = new Uint8Array(file.stat.size);
      file.readSync(bytes, 0);
      file.close();
      return new TextDecoder().decode(bytes);
    } catch (error) {
      if (error instanceof Fault) return error.code;
      throw error;
    }
  }

  it("sees a file that was replaced or removed", async () => {
    writeFileSync(join(apps, "a/new"), "other");
    renameSync(join(apps, "a/new"), join(apps, "a/f.txt"));
    assert.equal(await read("f.txt"), "other");
    rmSync(join(apps, "a/f.txt"));
    assert.equal(await read("f.txt"), "not_found");
  });

  it("refuses a file that became a link to the outside, and follows one inside", async () => {
    rmSync(join(apps, "a/f.txt"));
    symlinkSync(join(home, "elsewhere/f.txt"), join(apps, "a/f.txt"));
    assert.equal(await read("f.txt"), "forbidden");
    rmSync(join(apps, "a/f.txt"));
    symlinkSync("sub/g.txt", join(apps, "a/f.txt"));
    assert.equal(await read("f.txt"), "inside");
  });

  it("refuses what lies behind a folder that became a link", async () => {
    rmSync(join(apps, "a/sub"), { recursive: true });
    symlinkSync(join(home, "elsewhere"), join(apps, "a/sub"));
    assert.equal(await read("sub/f.txt"), "forbidden");
  });

  it("refuses an app, or all apps, moved away with a link in their place", async () => {
    renameSync(join(apps, "a"), join(home, "moved"));
    symlinkSync(join(home, "moved"), join(apps, "a"));
    assert.equal(await read("f.txt"), "forbidden");
    rmSync(join(apps, "a"));
    renameSync(join(home, "moved"), join(apps, "a"));
    assert.equal(await read("f.txt"), "inside");
    renameSync(apps, join(home, "moved"));
    symlinkSync(join(home, "moved"), apps);
    assert.equal(await read("f.txt"), "forbidden");
    rmSync(join(home, "moved"), { recursive: true });
  });

  it("refuses an app that was hidden behind its name", async () => {
    renameSync(join(apps, "a"), join(apps, ".a"));
    symlinkSync(".a", join(apps, "a"));
    assert.equal(await read("f.txt"), "forbidden");
  });

  it("reads a manifest again that was rewritten", async () => {
    const other = JSON.stringify({ ...MANIFEST, name: "Another" });
    writeFileSync(join(apps, "a/manifest.json"), other);
    assert.equal((await app()).manifest.name, "Another");
  });

  it("refuses an app whose manifest became unsound, and derives one where it is gone", async () => {
    rmSync(join(apps, "a/manifest.json"));
    assert.equal((await app()).manifest.name, "a");
    writeFileSync(join(apps, "a/manifest.json"), "{");
    assert.equal(await read("f.txt"), "invalid_app_manifest");
  });

  it("needs a readable index.html where there is no manifest", async () => {
    rmSync(join(apps, "a/manifest.json"));
    rmSync(join(apps, "a/index.html"));
    assert.equal(await read("f.txt"), "not_found");
  });
});
