import assert from "node:assert/strict";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readConfigFile, writeConfigFile } from "../../src/config/file.ts";
import { HostError } from "../../src/host/types.ts";
import { plainFiles } from "../support/fake_host.ts";
import { tempDirectory } from "../support/temp_home.ts";

const directory = tempDirectory();
const path = join(directory.path, "config.json");
const files = plainFiles();

before(() => mkdirSync(directory.path, { recursive: true }));
after(() => directory.remove());

describe("readConfigFile()", () => {
  it("reads an empty document when the file is missing or empty", async () => {
    assert.deepEqual(await readConfigFile(files, join(directory.path, "none.json")), {});
    writeFileSync(path, " \r\n");
    assert.deepEqual(await readConfigFile(files, path), {});
  });

  it("skips a byte order mark (BR-47)", async () => {
    writeFileSync(path, "\ufeff" + '{\r\n"local_apps":{"max_asset_bytes":5}}');
    assert.deepEqual(await readConfigFile(files, path), { local_apps: { max_asset_bytes: 5 } });
  });

  it("says what is wrong in one sentence without a host path", async () => {
    const bad: readonly [string | Uint8Array, RegExp][] = [
      ['{"a":1,}', /not valid JSON/],
      ["[]", /has to hold an object/],
      ["null", /has to hold an object/],
      ["3", /has to hold an object/],
      [new Uint8Array([0xff, 0xfe, 0x7b, 0]), /UTF-16/],
      [new Uint8Array([0x7b, 0xff, 0x7d]), /not UTF-8/],
      ["x".repeat(1024 * 1024 + 1), /larger than 1 MiB/],
    ];
    for (const [content, pattern] of bad) {
      writeFileSync(path, content);
      await assert.rejects(readConfigFile(files, path), (error: Error & { hint?: string }) => {
        assert.match(error.message, pattern);
        assert.ok(!error.message.includes(directory.path));
        assert.match(error.hint ?? "", /Mend it/);
        return true;
      });
    }
  });

  it("refuses a directory in its place", async () => {
    const folder = join(directory.path, "folder.json");
    mkdirSync(folder);
    await assert.rejects(readConfigFile(files, folder), /config\.json is a directory/);
  });
});

describe("writeConfigFile()", () => {
  it("writes what can be read again, for the owner only", async () => {
    const document = { later: { x: 1 }, local_apps: { csp: "sandbox" } };
    await writeConfigFile(files, path, document);
    assert.deepEqual(await readConfigFile(files, path), document);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.ok(readFileSync(path, "utf8").endsWith("}\n"));
  });

  it("says that the disk is full or read-only", async () => {
    for (
      const [code, fault] of [["no_space", "storage_full"], [
        "read_only",
        "storage_unavailable",
      ]] as const
    ) {
      const failing = {
        ...files,
        replace: () => Promise.reject(new HostError(code, "/secret/path")),
      };
      await assert.rejects(
        writeConfigFile(failing, path, {}),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, fault);
          assert.ok(!error.message.includes("/secret"));
          return true;
        },
      );
    }
  });
});
