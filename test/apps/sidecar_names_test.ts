import assert from "node:assert/strict";
import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createSidecarNames, type SidecarNames } from "../../src/apps/sidecar_names.ts";
import { createHost } from "../../src/host/current.ts";
import type { HostFiles } from "../../src/host/types.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

describe("createSidecarNames()", () => {
  let directory: TempDirectory;
  let folder: string;
  let names: SidecarNames;
  let lists: number;
  /** Whether the folder has more entries than are listed. */
  let many: boolean;
  let now: () => number;

  beforeEach(() => {
    directory = tempDirectory();
    folder = join(directory.path, "app");
    mkdirSync(folder);
    lists = 0;
    many = false;
    now = Date.now;
    const { files } = createHost();
    const counting: Partial<HostFiles> = {
      stat: (path) => files.stat(path),
      lstat: (path) => files.lstat(path),
      peek: (path) => files.peek(path),
      list: (path, limit) => {
        lists += 1;
        const others = Array.from(
          { length: limit },
          () => ({ name: "other", kind: "file" as const }),
        );
        return many ? others : files.list(path, limit);
      },
    };
    names = createSidecarNames(counting as HostFiles, { now: () => now() });
  });
  afterEach(() => directory.remove());

  const write = (...paths: string[]) => {
    for (const path of paths) writeFileSync(join(folder, path), "x");
  };
  const beside = (name: string) => names.beside(folder, name);
  /** The folder's last change is long past. */
  const settle = () => now = () => Date.now() + 60_000;

  it("names the codings of what lies beside", async () => {
    write("a.js", "a.js.br", "a.js.gz", "b.js", "b.js.zst", "c.js");
    for (const settled of [false, true]) {
      if (settled) settle();
      assert.deepEqual(await beside("a.js"), ["br", "gzip"]);
      assert.deepEqual(await beside("b.js"), ["zstd"]);
      assert.deepEqual(await beside("c.js"), []);
      assert.deepEqual(await beside("a.j"), []);
    }
  });

  it("lists a folder once while it stays as it is", async () => {
    write("a.js", "a.js.br");
    settle();
    for (let round = 0; round < 20; round++) assert.deepEqual(await beside("a.js"), ["br"]);
    assert.equal(lists, 1);
  });

  it("lists nothing while the folder may change unseen", async () => {
    write("a.js");
    assert.deepEqual(await beside("a.js"), []);
    write("a.js.br");
    assert.deepEqual(await beside("a.js"), ["br"]);
    rmSync(join(folder, "a.js.br"));
    assert.deepEqual(await beside("a.js"), []);
    assert.equal(lists, 0);
  });

  it("sees each change of a folder that rested", async () => {
    const old = new Date(Date.now() - 60_000);
    write("a.js");
    settle();
    assert.deepEqual(await beside("a.js"), []);
    write("a.js.br");
    // Another time of change, as it is when it happens later than in the same tick.
    utimesSync(folder, old, old);
    assert.deepEqual(await beside("a.js"), ["br"]);
    renameSync(folder, `${folder}.old`);
    mkdirSync(folder);
    utimesSync(folder, old, old);
    assert.deepEqual(await beside("a.js"), []);
    assert.equal(lists, 3);
  });

  it("looks names up one by one in a folder with very many", async () => {
    write("a.js", "a.js.zst");
    many = true;
    settle();
    assert.deepEqual(await beside("a.js"), ["zstd"]);
    assert.deepEqual(await beside("b.js"), []);
    assert.equal(lists, 1);
  });

  it("follows a link to the folder, and finds nothing where there is none", async () => {
    write("a.js", "a.js.gz");
    symlinkSync("app", join(directory.path, "link"));
    assert.deepEqual(await names.beside(join(directory.path, "link"), "a.js"), ["gzip"]);
    assert.deepEqual(await names.beside(join(directory.path, "absent"), "a.js"), []);
  });
});
