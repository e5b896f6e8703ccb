import assert from "node:assert/strict";
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { createHost } from "../../src/host/current.ts";
import { Moment } from "../../src/host/moment.ts";
import { hasDescriptorPaths } from "../../src/host/open_canonical.ts";
import type { OpenedFile } from "../../src/host/types.ts";
import { tempDirectory } from "../support/temp_home.ts";

function textOf(file: OpenedFile | null): string {
  assert.ok(file !== null);
  const view = new Uint8Array(64);
  return new TextDecoder().decode(view.subarray(0, file.readSync(view, 0)));
}

describe("Moment", () => {
  const directory = tempDirectory();
  const folder = realpathSync(directory.path);
  const path = join(folder, "f.txt");
  const { files } = createHost();
  const unsupported = !hasDescriptorPaths();
  after(() => directory.remove());
  beforeEach(() => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, "first");
  });

  it("tells one look's metadata to all, also that nothing is there", () => {
    const moment = new Moment();
    const absent = join(folder, "absent");
    const size = files.peek(path, moment)?.size;
    assert.equal(files.peek(absent, moment), null);
    writeFileSync(path, "longer than before");
    writeFileSync(absent, "now there");
    assert.equal(size, 5);
    assert.equal(files.peek(path, moment)?.size, 5);
    assert.equal(files.peek(absent, moment), null);
    assert.equal(files.peek(path, new Moment())?.size, 18);
    assert.equal(files.peek(path)?.size, 18);
    rmSync(absent);
  });

  it("opens a file once for all, each of whom closes it", { skip: unsupported }, async () => {
    const moment = new Moment();
    const one = files.openDirect(path, moment);
    renameSync(path, join(folder, "moved"));
    const other = files.openDirect(path, moment);
    one?.close();
    one?.close();
    assert.throws(() => textOf(one), /closed/);
    assert.equal(textOf(other), "first");
    const view = new Uint8Array(8);
    const reading = other?.read(view, 0);
    other?.close();
    assert.equal(await reading, 5);
    // Once all have closed it, it is opened again: by its path, where nothing is now.
    assert.equal(files.openDirect(path, moment), null);
    writeFileSync(path, "second");
    assert.equal(textOf(files.openDirect(path, moment)), "second");
  });

  it("gives each its own metadata to take anew", { skip: unsupported }, () => {
    const moment = new Moment();
    const one = files.openDirect(path, moment);
    const other = files.openDirect(path, moment);
    writeFileSync(path, "longer than before");
    one?.refresh();
    assert.equal(one?.stat.size, 18);
    assert.equal(other?.stat.size, 5);
    one?.close();
    other?.close();
  });
});
