import assert from "node:assert/strict";
import {
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { differenceOf } from "../../../src/apps/reload/changes.ts";
import { takeSnapshot, versionOf } from "../../../src/apps/reload/snapshot.ts";
import { createHost } from "../../../src/host/current.ts";
import { type TempDirectory, tempDirectory } from "../../support/temp_home.ts";

describe("takeSnapshot()", () => {
  const { files } = createHost();
  let directory: TempDirectory;
  let root: string;

  beforeEach(() => {
    directory = tempDirectory();
    root = directory.path;
    mkdirSync(join(root, "sub/deep"), { recursive: true });
    for (const path of ["index.html", "sub/a.css", "sub/deep/b.js"]) {
      writeFileSync(join(root, path), path);
    }
  });
  afterEach(() => directory.remove());

  it("sees files and folders, level by level", async () => {
    const snapshot = await takeSnapshot(files, root);
    assert.deepEqual([...snapshot.files.keys()], ["index.html", "sub/a.css", "sub/deep/b.js"]);
    assert.deepEqual([...snapshot.folders.keys()], ["", "sub", "sub/deep"]);
  });

  it("passes over hidden files and what editors write meanwhile", async () => {
    mkdirSync(join(root, ".git"));
    for (const name of [".env", ".git/HEAD", "index.html~", ".index.html.swp", "x.tmp", "x.swp"]) {
      writeFileSync(join(root, name), "x");
    }
    const snapshot = await takeSnapshot(files, root);
    assert.deepEqual([...snapshot.files.keys()], ["index.html", "sub/a.css", "sub/deep/b.js"]);
    assert.deepEqual([...snapshot.folders.keys()], ["", "sub", "sub/deep"]);
  });

  it("follows no link, and sees one that leads elsewhere", async () => {
    symlinkSync("/", join(root, "out"));
    symlinkSync("..", join(root, "sub/up"));
    const before = await takeSnapshot(files, root);
    assert.equal(before.folders.size, 3);
    assert.ok(before.files.has("out") && before.files.has("sub/up"));
    rmSync(join(root, "out"));
    symlinkSync("/usr", join(root, "out"));
    assert.deepEqual(differenceOf(before, await takeSnapshot(files, root))?.change, {
      kind: "reload",
    });
  });

  it("sees a file of the same size and time that replaced another", async () => {
    const path = join(root, "sub/a.css");
    const before = await takeSnapshot(files, root);
    const { atime, mtime } = statSync(path);
    writeFileSync(join(root, "x.tmp"), "SUB/A.CSS");
    utimesSync(join(root, "x.tmp"), atime, mtime);
    renameSync(join(root, "x.tmp"), path);
    assert.deepEqual(differenceOf(before, await takeSnapshot(files, root))?.change, {
      kind: "style",
      paths: ["sub/a.css"],
    });
  });

  it("tells a folder from another one in its place", async () => {
    const before = await takeSnapshot(files, root);
    mkdirSync(join(root, "other"));
    renameSync(join(root, "sub"), join(root, "old"));
    renameSync(join(root, "other"), join(root, "sub"));
    const after = await takeSnapshot(files, root);
    assert.notEqual(after.folders.get("sub"), before.folders.get("sub"));
    assert.equal(after.folders.get(""), before.folders.get(""));
  });

  it("keeps its bounds, and what is nearest the root", async () => {
    const few = await takeSnapshot(files, root, { entries: 4, folders: 9, depth: 9 });
    assert.deepEqual([...few.files.keys(), ...few.folders.keys()], [
      ...["index.html", "sub/a.css"],
      ...["", "sub"],
    ]);
    const flat = await takeSnapshot(files, root, { entries: 99, folders: 9, depth: 1 });
    assert.deepEqual([...flat.files.keys()], ["index.html"]);
    const single = await takeSnapshot(files, root, { entries: 99, folders: 2, depth: 9 });
    assert.deepEqual([...single.folders.keys()], ["", "sub"]);
  });

  it("gives a version that stays while nothing changes", async () => {
    const version = await versionOf(await takeSnapshot(files, root));
    assert.match(version, /^[0-9a-f]{16}$/);
    mkdirSync(join(root, "empty"));
    assert.equal(await versionOf(await takeSnapshot(files, root)), version);
    writeFileSync(join(root, "sub/new.txt"), "x");
    assert.notEqual(await versionOf(await takeSnapshot(files, root)), version);
  });

  it("fails where the root is missing", async () => {
    await assert.rejects(takeSnapshot(files, join(root, "nothing")), { code: "not_found" });
  });
});
