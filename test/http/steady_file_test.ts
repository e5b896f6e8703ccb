import assert from "node:assert/strict";
import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createHost } from "../../src/host/current.ts";
import { Moment } from "../../src/host/moment.ts";
import { hasDescriptorPaths } from "../../src/host/open_canonical.ts";
import type { OpenedFile } from "../../src/host/types.ts";
import { readSteadily } from "../../src/http/steady_file.ts";
import { tempDirectory } from "../support/temp_home.ts";

function textOf(file: OpenedFile | null, position = 0): string | null {
  if (file === null) return null;
  const view = new Uint8Array(64);
  return new TextDecoder().decode(view.subarray(0, file.readSync(view, position)));
}

describe("readSteadily()", { skip: !hasDescriptorPaths() }, () => {
  const directory = tempDirectory();
  const path = join(realpathSync(directory.path), "f.txt");
  const { files } = createHost();
  after(() => directory.remove());

  it("reads once for those for whom a file was opened together", () => {
    writeFileSync(path, "first one");
    const moment = new Moment();
    const open = () => files.openDirect(path, moment)!;
    const users = [open(), open(), open()];
    const [one, other, third] = users as [OpenedFile, OpenedFile, OpenedFile];
    const copy = readSteadily(one, 0, 9);
    writeFileSync(path, "something else");
    assert.equal(textOf(copy), "first one");
    assert.equal(textOf(readSteadily(other, 0, 9)), "first one");
    // Another range has to be read, and the file is not what it was any more.
    assert.equal(readSteadily(other, 0, 5), null);
    third.refresh();
    assert.equal(textOf(readSteadily(third, 0, 14)), "something else");
    assert.equal(textOf(readSteadily(third, 4, 9), 4), "thing");
    users.forEach((file) => file.close());
  });
});
