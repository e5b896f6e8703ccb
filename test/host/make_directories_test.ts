import assert from "node:assert/strict";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { makeDirectories } from "../../src/host/make_directories.ts";
import { tempDirectory } from "../support/temp_home.ts";

describe("makeDirectories()", () => {
  it("makes what is missing, with the mode, and leaves the rest", async () => {
    const directory = tempDirectory();
    try {
      const path = join(directory.path, "a", "b", "c");
      await Promise.all([makeDirectories(path, 0o700), makeDirectories(path, 0o700)]);
      await makeDirectories(path, 0o755);
      for (const part of [path, join(path, "..")]) {
        assert.equal(statSync(part).mode & 0o777, 0o700);
      }
      writeFileSync(join(directory.path, "file"), "x");
      await assert.rejects(makeDirectories(join(directory.path, "file"), 0o700), {
        code: "EEXIST",
      });
      await assert.rejects(makeDirectories(join(directory.path, "file/x"), 0o700), {
        code: "ENOTDIR",
      });
    } finally {
      directory.remove();
    }
  });

  const skip = existsSync("/proc/self") ? false : "needs Linux's /proc";
  it("ends where the parent is there but the directory can't be", { skip }, async () => {
    await assert.rejects(makeDirectories("/proc/holon-test/x", 0o700), { code: "ENOENT" });
  });
});
