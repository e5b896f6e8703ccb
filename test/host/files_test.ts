import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { createFiles } from "../../src/host/files.ts";
import { hasDescriptorPaths } from "../../src/host/open_canonical.ts";
import type { HostErrorCode } from "../../src/host/types.ts";
import { patientFiles } from "../support/patient_files.ts";
import { runtimeName } from "../support/runtime.ts";
import { quietTempDirectory } from "../support/temp_home.ts";

const temp = quietTempDirectory();
const root = fs.realpathSync(temp.path);
const ctimeStepMs = runtimeName === "deno" ? 1000 : 1;

const kinds = {
  "at once": { descriptorPaths: hasDescriptorPaths(), blocking: true },
  "later": { descriptorPaths: hasDescriptorPaths(), blocking: false },
  "without /proc": { descriptorPaths: false, blocking: true },
};

before(() => {
  fs.mkdirSync(join(root, "d"));
  fs.writeFileSync(join(root, "d/f.txt"), "content");
  fs.symlinkSync("d/f.txt", join(root, "link.txt"));
  fs.symlinkSync("d", join(root, "link-d"));
  fs.symlinkSync("loop", join(root, "loop"));
  execFileSync("mkfifo", [join(root, "fifo")]);
});
after(() => temp.remove());

function fails(code: HostErrorCode, message = /./): (error: Error & { code?: string }) => boolean {
  return (error) => {
    assert.equal(error.name, "HostError");
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };
}

/** Runs something that may throw at once or later. */
async function outcome<T>(act: () => Promise<T> | T): Promise<T> {
  return await act();
}

for (const [name, { descriptorPaths, blocking }] of Object.entries(kinds)) {
  const files = createFiles({ descriptorPaths, ctimeStepMs });
  files.blocking = blocking;

  describe(`files, ${name}`, () => {
    it("lstat(), stat() and realpath() see links as they are", async () => {
      assert.equal((await files.lstat(join(root, "link.txt"))).kind, "symlink");
      const stat = await files.stat(join(root, "link.txt"));
      assert.deepEqual([stat.kind, stat.size], ["file", 7]);
      assert.equal(Number.isInteger(stat.mtimeMs) && Number.isInteger(stat.ctimeMs), true);
      assert.equal((await files.lstat(join(root, "fifo"))).kind, "other");
      assert.equal((await files.lstat(join(root, "d"))).kind, "directory");
      assert.equal(await files.realpath(join(root, "link-d/f.txt")), join(root, "d/f.txt"));
      assert.equal(await files.readlink(join(root, "link-d")), "d");
    });

    it("openCanonical() gives metadata and bytes of one handle", async () => {
      const patient = patientFiles(createFiles({ descriptorPaths, ctimeStepMs }));
      patient.blocking = blocking;
      const file = await patient.openCanonical(join(root, "d/f.txt"));
      assert.equal(file.stat.size, 7);
      const view = new Uint8Array(16);
      assert.equal(await file.read(view, 3), 4);
      assert.equal(file.readSync(view.subarray(4), 0), 7);
      assert.equal(Buffer.from(view).toString("latin1", 0, 11), "tentcontent");
      assert.equal(await file.read(view, 7), 0);
      file.close();
      file.close();
      await assert.rejects(outcome(() => file.read(view, 0)));
    });

    it("openCanonical() follows no link", async () => {
      await assert.rejects(outcome(() => files.openCanonical(join(root, "link.txt"))), (error) => {
        assert.match((error as { code: string }).code, /^(loop|moved)$/);
        return true;
      });
      await assert.rejects(
        outcome(() => files.openCanonical(join(root, "link-d/f.txt"))),
        fails("moved"),
      );
    });

    it("openCanonical() opens a FIFO or a directory without blocking", async () => {
      for (const [entry, kind] of [["fifo", "other"], ["d", "directory"]] as const) {
        const file = await files.openCanonical(join(root, entry));
        assert.equal(file.stat.kind, kind);
        file.close();
      }
    });

    it("close() during a read lets the read finish and closes then", async () => {
      const descriptors = () => fs.readdirSync("/proc/self/fd").length;
      const before = descriptors();
      for (let count = 0; count < 50; count++) {
        const file = await files.openCanonical(join(root, "d/f.txt"));
        const view = new Uint8Array(7);
        const reading = file.read(view, 0);
        file.close();
        assert.equal(await reading, 7);
        assert.equal(Buffer.from(view).toString(), "content");
      }
      assert.equal(descriptors(), before);
    });

    it("errors have codes that are equal everywhere", async () => {
      const cases: readonly (readonly [string, HostErrorCode])[] = [
        [join(root, "missing"), "not_found"],
        [join(root, "d/f.txt/x"), "not_a_directory"],
        [join(root, "x".repeat(300)), "invalid_path"],
        [join(root, "a\0b"), "invalid_path"],
        [join(root, "loop"), "loop"],
      ];
      for (const [path, code] of cases) {
        await assert.rejects(outcome(() => files.stat(path)), fails(code), path);
        await assert.rejects(outcome(() => files.openCanonical(path)), fails(code), path);
        await assert.rejects(files.read(path, 100), fails(code), path);
      }
      await assert.rejects(
        outcome(() => files.list(join(root, "d/f.txt"), 1)),
        fails("not_a_directory"),
      );
    });

    it("list() gives entries up to a limit and leaves out names that are not UTF-8", async () => {
      const folder = Buffer.from(join(root, `names-${blocking}-${descriptorPaths}/`));
      fs.mkdirSync(folder);
      const bad = Buffer.concat([folder, Buffer.from([0x62, 0xff])]);
      // Deno has no way to make one.
      execFileSync("sh", ["-c", `printf 'b\\377' | xargs -0 touch`], { cwd: folder.toString() });
      assert.equal(bad.length > 0, true);
      fs.writeFileSync(Buffer.concat([folder, Buffer.from("good \u00fc \ufffd")]).toString(), "");
      const entries = await files.list(folder.toString(), 10);
      assert.deepEqual(entries, [{ name: "good \u00fc \ufffd", kind: "file" }]);
      for (let count = 0; count < 5; count++) fs.mkdirSync(`${folder}${count}`);
      assert.equal((await files.list(folder.toString(), 3)).length, 3);
    });

    it("read() reads whole regular files up to a limit", async () => {
      assert.equal(Buffer.from(await files.read(join(root, "link.txt"), 7)).toString(), "content");
      await assert.rejects(files.read(join(root, "link.txt"), 6), fails("too_large"));
      await assert.rejects(files.read(join(root, "d"), 6), fails("is_a_directory"));
      await assert.rejects(files.read(join(root, "fifo"), 6), fails("invalid_path"));
      assert.ok((await files.read("/proc/self/status", 100_000)).length > 100);
    });

    it("replace() swaps content in one step and leaves nothing else", async () => {
      const folder = join(root, `replace-${blocking}-${descriptorPaths}`);
      await files.makeDirectory(join(folder, "a/b"), 0o700);
      await files.makeDirectory(join(folder, "a/b"), 0o700);
      const path = join(folder, `${"x".repeat(250)}`);
      await files.replace(path, Buffer.from("one"), 0o600);
      await files.replace(path, Buffer.from("two"), 0o666);
      assert.equal(fs.readFileSync(path, "utf8"), "two");
      assert.equal(fs.statSync(path).mode & 0o777, 0o666);
      await assert.rejects(files.replace(join(folder, "a"), Buffer.from("x"), 0o600));
      assert.deepEqual(fs.readdirSync(folder).sort(), ["a", "x".repeat(250)]);
    });

    it("create() never overwrites; rename() and remove() do what they say", async () => {
      const path = join(root, `created-${blocking}-${descriptorPaths}`);
      await files.create(path, Buffer.from("one"), 0o640);
      assert.equal(fs.statSync(path).mode & 0o777, 0o640);
      await assert.rejects(files.create(path, Buffer.from("two"), 0o640), fails("already_exists"));
      await files.rename(path, `${path}-2`);
      assert.equal(fs.readFileSync(`${path}-2`, "utf8"), "one");
      await files.remove(`${path}-2`);
      await files.remove(`${path}-2`);
      await assert.rejects(files.remove(join(root, "d")));
    });
  });
}

/** Root without the powers that pass every permission check; whose files they are stays the same. */
const POWERLESS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--"];

describe("files, for a user without privileges", () => {
  const unprivileged = process.getuid?.() !== 0;

  it("openCanonical() says denied", () => {
    const path = join(root, "secret.txt");
    fs.writeFileSync(path, "x");
    fs.chmodSync(path, 0);
    fs.chmodSync(root, 0o755);
    const program = `
      import { createHost } from ${
      JSON.stringify(new URL("../../src/host/current.ts", import.meta.url).href)
    };
      try {
        await createHost().files.openCanonical(${JSON.stringify(path)});
        console.log("opened");
      } catch (error) {
        console.log(error.code);
      }`;
    const script = join(root, "denied.ts");
    fs.writeFileSync(script, program);
    fs.chmodSync(script, 0o644);
    const run = unprivileged ? command(script) : [...POWERLESS, ...command(script)];
    const output = execFileSync(run[0]!, run.slice(1), {
      encoding: "utf8",
      env: { ...process.env, HOME: root, DENO_DIR: join(root, ".deno") },
      cwd: root,
    });
    assert.equal(output.trim(), "denied");
  });
});

function command(script: string): string[] {
  const flags = runtimeName === "deno" ? ["run", "-A", "--quiet", "--no-check"] : [];
  return [process.execPath, ...flags, script];
}
