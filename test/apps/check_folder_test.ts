import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { checkAppFolder } from "../../src/apps/check_folder.ts";
import {
  type AppHandler,
  createAppHandler,
  OPEN_SETTINGS,
  STRICT_SETTINGS,
} from "../support/app_handler.ts";

describe("checkAppFolder()", () => {
  let handler: AppHandler;
  let apps: string;
  before(() => {
    handler = createAppHandler();
    apps = join(handler.home, "agents/main/apps");
  });
  after(() => handler.remove());

  const check = async (app: string, settings = OPEN_SETTINGS) => {
    const { findings, ...rest } = await checkAppFolder(
      handler.files,
      join(apps, app),
      settings,
    );
    return {
      ...rest,
      found: findings.map(({ severity, path, message }) => `${severity} ${path}: ${message}`),
    };
  };

  it("finds nothing in a sound app", async () => {
    handler.write({ "sound/index.html": "ok", "sound/sub/a.js": "ok" });
    assert.deepEqual(await check("sound"), {
      appId: "sound",
      found: [],
      files: 2,
      bytes: 4,
      truncated: false,
    });
  });

  it("finds what would be refused or not served", async () => {
    handler.write({
      "odd/index.html": "ok",
      "odd/.env": "x",
      "odd/.git/config": "x",
      "odd/holon.js": "x",
      "odd/big.bin": "0123456789x",
      "odd/b.wasm.gz": "x",
      "odd/back\\slash": "x",
      "sound/index.html": "ok",
    });
    symlinkSync("../sound/index.html", join(apps, "odd/out.html"));
    symlinkSync("absent", join(apps, "odd/dangling"));
    symlinkSync("index.html", join(apps, "odd/same.html"));
    execFileSync("mkfifo", [join(apps, "odd/pipe")]);
    const { found, files } = await check("odd", { ...OPEN_SETTINGS, maxAssetBytes: 10 });
    assert.deepEqual(found, [
      "note .env: Hidden, and so not served",
      "note .git: Hidden, and so not served",
      "note b.wasm.gz: Sent as it is: the browser won't decompress it",
      "warning back\\slash: Its name has a backslash or a control character: not served",
      "error big.bin: Larger than local_apps.max_asset_bytes (10 bytes)",
      "warning dangling: A link: There is no such file in this app",
      "warning holon.js: The SDK has this address: the file is not served",
      "warning out.html: A link: The path leads out of the app's folder",
      "warning pipe: Neither a file nor a folder, and so not served",
    ]);
    assert.equal(files, 5);
  });

  it("finds a broken manifest and a missing entry", async () => {
    handler.write({
      "broken/manifest.json": "{",
      "bare/a.txt": "",
      "lost/manifest.json": JSON.stringify({
        id: "lost",
        name: "L",
        version: "1",
        entry: "x.html",
      }),
    });
    assert.match((await check("broken")).found.join(), /^error null: .*not valid JSON/);
    assert.match((await check("bare")).found.join(), /^error null: .*no readable index.html/);
    assert.match((await check("lost")).found.join(), /^error x.html: .*can't be served/);
  });

  it("goes by the profile", async () => {
    handler.write({ "s/index.html": "ok", "s/a.wasm": "x" });
    const { found } = await check("s", STRICT_SETTINGS);
    assert.match(found[0] ?? "", /^error null: .*strict/);
    assert.match(found[1] ?? "", /^warning a.wasm: .*strict/);
  });

  it("refuses a name that can't be an id", async () => {
    handler.write({ "a b/index.html": "ok" });
    assert.match((await check("a b")).found.join(), /can't be an app id/);
  });
});
