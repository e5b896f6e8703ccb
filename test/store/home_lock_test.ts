import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { HomeError } from "../../src/store/home_error.ts";
import { acquireHomeLock, isHomeLocked } from "../../src/store/home_lock.ts";
import { readRunInfo } from "../../src/store/run_info.ts";
import { plainFiles } from "../support/fake_host.ts";
import { type RunningScript, scriptCommand, startScript } from "../support/runtime.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

const HOLDER = fileURLToPath(new URL("fixtures/hold_lock.ts", import.meta.url));
const files = plainFiles();

describe("acquireHomeLock()", () => {
  let directory: TempDirectory;
  let home: string;
  let scripts: RunningScript[];

  beforeEach(() => {
    directory = tempDirectory();
    home = directory.path;
    scripts = [];
  });

  afterEach(async () => {
    await Promise.all(scripts.map((script) => script.stop()));
    directory.remove();
  });

  async function hold(): Promise<RunningScript> {
    const script = startScript(HOLDER, { args: [home] });
    scripts.push(script);
    await script.line(/^held/);
    return script;
  }

  const take = (path = home) => acquireHomeLock(path, files);
  const inUse = (error: unknown) => error instanceof HomeError && error.code === "home_in_use";

  it("refuses a second process with a sentence that names the first", async () => {
    const holder = await hold();
    await assert.rejects(take(), (error) => {
      assert(inUse(error) && error instanceof HomeError);
      assert(error.message.includes(`pid ${holder.pid}`));
      assert(error.message.includes("http://127.0.0.1:7878"));
      return true;
    });
    assert.equal(isHomeLocked(home), true);
  });

  it("is free at once after the holder was killed, whatever it left behind", async () => {
    const holder = await hold();
    await holder.stop("SIGKILL");
    assert.equal((await readRunInfo(home, files))?.pid, holder.pid);
    assert.equal(isHomeLocked(home), false);
    await (await take()).release();
  });

  it("is one lock by whatever path the home is named", async () => {
    const other = join(home, "other-name");
    symlinkSync(home, other);
    const lock = await take();
    await assert.rejects(take(other), inUse);
    await lock.release();
  });

  it("refuses a second holder in the same process, and keeps the first", async () => {
    const lock = await take();
    await assert.rejects(take(), inUse);
    const script = startScript(HOLDER, { args: [home] });
    scripts.push(script);
    await script.line(/^refused home_in_use/);
    await lock.release();
    await lock.release();
    await (await take()).release();
  });

  it("removes what it announced when it is released", async () => {
    const lock = await take();
    const info = {
      pid: process.pid,
      address: "http://127.0.0.1:1",
      started_at: "2026-01-01T00:00:00.000Z",
      version: "0.1.0",
    };
    assert.equal(await lock.announce(info), null);
    assert.deepEqual(await readRunInfo(home, files), info);
    assert.equal(statSync(join(home, "run")).mode & 0o777, 0o700);
    assert.equal(statSync(join(home, "run/lock")).mode & 0o777, 0o600);
    await lock.release();
    assert.equal(existsSync(join(home, "run/holon.json")), false);
  });

  it("starts over whatever is in run/holon.json (BR-41)", async () => {
    mkdirSync(join(home, "run"));
    const path = join(home, "run/holon.json");
    const pids = [process.pid, 1, 0, -1, 2 ** 40, "7"];
    const contents = ["", "garbage", "[]", "\u0000", ...pids.map((pid) => JSON.stringify({ pid }))];
    for (const content of contents) {
      writeFileSync(path, content);
      assert.equal(await readRunInfo(home, files), null, content);
      const lock = await take();
      await lock.release();
    }
    writeFileSync(path, "x", { mode: 0 });
    await (await take()).release();
  });

  it("says that run/holon.json can't be written when a directory is in its place", async () => {
    mkdirSync(join(home, "run/holon.json"), { recursive: true });
    const holder = await hold();
    assert.match(holder.stdout(), /^held run\/holon\.json can't be written/);
  });

  it("starts over garbage in run/lock (BR-41)", async () => {
    mkdirSync(join(home, "run"));
    for (const content of ["", "12345\n", "garbage".repeat(1000), "SQLite format 3\0rubbish"]) {
      writeFileSync(join(home, "run/lock"), content);
      assert.equal(isHomeLocked(home), false);
      const lock = await take();
      assert.equal(isHomeLocked(home), true);
      await assert.rejects(take(), inUse);
      await lock.release();
    }
  });

  it("names the file when something else is in the lock's place", async () => {
    for (const entry of ["run", "run/lock"]) {
      rmSync(join(home, "run"), { recursive: true, force: true });
      if (entry === "run") writeFileSync(join(home, "run"), "");
      else mkdirSync(join(home, "run/lock"), { recursive: true });
      await assert.rejects(take(), (error) => {
        assert(error instanceof HomeError && error.code === "home_unusable");
        assert(error.message.startsWith(`${entry} in the home`), error.message);
        return true;
      });
    }
  });

  it("names a lock file that this user may not open", async () => {
    mkdirSync(join(home, "run"));
    writeFileSync(join(home, "run/lock"), "");
    chmodSync(join(home, "run/lock"), 0);
    const options = { args: [home] };
    let unprivileged = {};
    if (process.getuid?.() === 0) {
      for (const name of ["", "run", "run/lock"]) chownSync(join(home, name), 65534, 65534);
      const ids = ["--reuid=65534", "--regid=65534", "--clear-groups"];
      const env = { HOME: home, DENO_DIR: join(home, "deno") };
      unprivileged = { command: ["setpriv", ...ids, ...scriptCommand(HOLDER, [home])], env };
    }
    const script = startScript(HOLDER, { ...options, ...unprivileged });
    scripts.push(script);
    await script.line(/^refused home_unusable: run\/lock in the home can't be used/);
  });
});
