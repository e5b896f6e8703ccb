import assert from "node:assert/strict";
import { appendFileSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { followLines } from "../../../src/cli/daemon/follow_lines.ts";
import { lastLines, MAX_LINE } from "../../../src/cli/daemon/tail.ts";
import { createRotatingFile } from "../../../src/host/rotating_file.ts";
import { type TempDirectory, tempDirectory } from "../../support/temp_home.ts";
import { until } from "../../support/until.ts";

let directory: TempDirectory;
let path: string;
beforeEach(() => {
  directory = tempDirectory();
  path = join(directory.path, "a.log");
});
afterEach(() => directory.remove());

describe("lastLines()", () => {
  const lines = async (count: number) =>
    (await lastLines([path, `${path}.1`, `${path}.2`], count))?.lines;

  it("reads on in older files, and leaves out what is no whole line yet", async () => {
    assert.equal(await lines(5), undefined);
    writeFileSync(`${path}.2`, "1\n2\n");
    writeFileSync(`${path}.1`, "3\n");
    writeFileSync(path, "4\n5\nbegun");
    assert.deepEqual(await lines(9), ["1", "2", "3", "4", "5"]);
    assert.deepEqual(await lines(3), ["3", "4", "5"]);
    assert.deepEqual(await lines(1), ["5"]);
    assert.deepEqual(await lines(0), []);
    assert.equal((await lastLines([path], 1))?.position.offset, 4);
  });

  it("is bounded in bytes and in the length of a line", async () => {
    writeFileSync(path, "first\n" + "x".repeat(200_000) + "\nlast\n");
    assert.deepEqual(await lines(10), ["last"]);
    writeFileSync(path, "y".repeat(20_000) + "\n");
    assert.equal((await lines(1))?.[0]?.length, MAX_LINE);
  });
});

describe("followLines()", () => {
  it("gives each line once, also across files that are begun anew", async () => {
    const file = createRotatingFile({ path, maxBytes: 500, keep: 3 });
    const seen: string[] = [];
    let end = () => {};
    const ended = new Promise<void>((resolve) => end = resolve);
    const following = followLines(path, null, (line) => seen.push(line), ended);
    const all: string[] = [];
    for (let batch = 0; batch < 4; batch++) {
      const lines = Array.from({ length: 9 }, (_, n) => `${batch}-${n} ${"ä".repeat(20)}`);
      all.push(...lines);
      await file.write(new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")));
      await until(() => seen.length === all.length);
    }
    end();
    await following;
    file.close();
    assert.deepEqual(seen, all);
  });

  it("goes on from a position, and from the begin of a file that was emptied", async () => {
    writeFileSync(path, "1\n2\n");
    const position = (await lastLines([path], 0))!.position;
    appendFileSync(path, "3\n");
    const seen: string[] = [];
    let end = () => {};
    const ended = new Promise<void>((resolve) => end = resolve);
    const following = followLines(path, position, (line) => seen.push(line), ended);
    await until(() => seen.length === 1);
    truncateSync(path);
    appendFileSync(path, "4\n");
    await until(() => seen.length === 2);
    renameSync(path, `${path}.1`);
    await until(async () => (await lastLines([path], 1)) === null);
    writeFileSync(path, "5\n");
    await until(() => seen.length === 3);
    end();
    await following;
    assert.deepEqual(seen, ["3", "4", "5"]);
  });
});
