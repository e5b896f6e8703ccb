import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createRotatingFile, type RotatingFile } from "../../src/host/rotating_file.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { skipWithout } from "../support/tools.ts";

let directory: TempDirectory;
let folder: string;
let path: string;
let file: RotatingFile;
beforeEach(() => {
  directory = tempDirectory();
  folder = join(directory.path, "run");
  mkdirSync(folder);
  path = join(folder, "a.log");
  file = createRotatingFile({ path, maxBytes: 1000, keep: 2 });
});
afterEach(() => {
  file.close();
  directory.remove();
});

const put = (text: string) => file.write(new TextEncoder().encode(text));
const read = (name = "a.log") => readFileSync(join(folder, name), "utf8");

describe("createRotatingFile()", () => {
  it("keeps the newest lines, whole and in order, and no more files than it may", async () => {
    const lines = Array.from({ length: 300 }, (_, n) => `line ${n} ${"x".repeat(n % 40)}\n`);
    for (const line of lines) await put(line);
    assert.deepEqual(readdirSync(folder).sort(), ["a.log", "a.log.1", "a.log.2"]);
    const kept = read("a.log.2") + read("a.log.1") + read();
    assert.ok(lines.join("").endsWith(kept));
    for (const name of readdirSync(folder)) assert.ok(read(name).length <= 1000, name);
    assert.ok(kept.length > 2000 - 60);
  });

  it("goes on with a file that is there, and begins it anew where it is full", async () => {
    writeFileSync(path, "before\n");
    await put("after\n");
    assert.equal(read(), "before\nafter\n");
    await put("y".repeat(2000) + "\n");
    assert.equal(read("a.log.1"), "before\nafter\n");
    await put("z\n");
    assert.equal(read(), "z\n");
  });

  it("begins anew where somebody moved, removed or emptied the file", async () => {
    await put("1\n");
    renameSync(path, join(folder, "moved"));
    await put("2\n");
    assert.equal(read("moved"), "1\n");
    assert.equal(read(), "2\n");
    truncateSync(path);
    await put("3\n");
    assert.equal(read(), "3\n");
  });

  it("writes nothing into a folder that took the place of its own", async () => {
    await put("1\n");
    renameSync(folder, join(directory.path, "moved"));
    await put("2\n");
    assert.ok(!existsSync(folder));
    mkdirSync(folder);
    await put("3\n");
    await put("w".repeat(2000));
    assert.deepEqual(readdirSync(folder), []);
    assert.equal(
      readFileSync(join(directory.path, "moved/a.log"), "utf8"),
      `1\n2\n3\n${"w".repeat(2000)}`,
    );
  });

  it("rejects where the disk is full, and tries anew", async () => {
    symlinkSync("/dev/full", path);
    await assert.rejects(put("1\n"), { code: "ENOSPC" });
    await assert.rejects(put("2\n"), { code: "ENOSPC" });
    renameSync(path, join(folder, "full"));
    await put("3\n");
    assert.equal(read(), "3\n");
  });

  it("takes back a line that found room for its begin only", {
    skip: skipWithout("prlimit", "util-linux"),
  }, async () => {
    // Without a handler the signal ends Deno.
    const ignore = () => {};
    process.on("SIGXFSZ", ignore);
    const limit = (bytes: number | "unlimited") =>
      execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`]);
    // So high that no output of the test itself comes to it.
    const bytes = 16 * 1024 * 1024;
    const large = createRotatingFile({ path, maxBytes: 2 * bytes, keep: 2 });
    writeFileSync(path, "");
    truncateSync(path, bytes - 10);
    limit(bytes);
    try {
      const line = new TextEncoder().encode("a line of more than ten bytes\n");
      for (let again = 0; again < 2; again++) {
        await assert.rejects(large.write(line));
        assert.equal(statSync(path).size, bytes - 10);
      }
      limit("unlimited");
      await large.write(line);
      assert.equal(statSync(path).size, bytes - 10 + line.byteLength);
    } finally {
      limit("unlimited");
      large.close();
      process.off("SIGXFSZ", ignore);
    }
  });

  it("rejects where the folder is missing, and tries anew", async () => {
    renameSync(folder, join(directory.path, "moved"));
    await assert.rejects(put("1\n"), { code: "ENOENT" });
    mkdirSync(folder);
    await put("2\n");
    assert.equal(read(), "2\n");
  });
});
