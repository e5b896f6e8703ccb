import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type RunningScript, scriptCommand, startScript } from "../support/runtime.ts";
import { startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

let directory: TempDirectory;
let scripts: RunningScript[] = [];
beforeEach(() => void (directory = tempDirectory()));
afterEach(async () => {
  for (const script of scripts) await script.stop();
  scripts = [];
  directory.remove();
});

const program = scriptCommand("mod.ts");

function attempt(home: string, command: readonly string[] = program): RunningScript {
  const script = startScript("mod.ts", {
    command: [...command, "serve", "--port", "0", "--home", home],
    env: { HOLON_HOME: undefined, HOLON_HTTP_ADDR: undefined, HOLON_CONTROL_TOKEN: undefined },
  });
  scripts.push(script);
  return script;
}

function writeLinkedApp(home: string): void {
  const app = join(home, "agents/main/apps/a");
  mkdirSync(join(app, "d"), { recursive: true });
  writeFileSync(join(app, "index.html"), "A");
  writeFileSync(join(app, "s.txt"), "S");
  writeFileSync(join(app, "d/f.txt"), "F");
  symlinkSync("s.txt", join(app, "in.txt"));
  symlinkSync("d", join(app, "dl"));
}

describe("a home reached by a link (BR-15)", () => {
  it("is served under each of its names, and by one server only", async () => {
    const real = join(directory.path, "REAL");
    const link = join(directory.path, "LINK");
    mkdirSync(real, { mode: 0o700 });
    symlinkSync("REAL", link);
    writeLinkedApp(real);
    for (const home of [link, `${link}/`, `${link}/../LINK`]) {
      const holon = await startHolon({ home: "", program, args: ["--port", "0", "--home", home] });
      scripts.push(holon.script);
      const paths = { "": "A", "s.txt": "S", "in.txt": "S", "dl/f.txt": "F" };
      for (const [path, want] of Object.entries(paths)) {
        const response = await fetch(`${holon.url}/apps/main/a/${path}`);
        assert.equal(await response.text(), want, `${home} ${path}`);
      }
      const second = attempt(real);
      assert.equal(await second.exited, 1);
      assert.ok(second.stderr().includes(holon.url), second.stderr());
      assert.equal(await holon.stop(), 0);
    }
  });

  it("may have a blank, a percent sign and a letter beyond ASCII", async () => {
    const home = join(directory.path, "dir with % \u00fc");
    writeLinkedApp(home);
    const holon = await startHolon({ home, program });
    scripts.push(holon.script);
    assert.equal(await (await fetch(`${holon.url}/apps/main/a/in.txt`)).text(), "S");
    assert.equal(await holon.stop(), 0);
  });
});

describe("a default agent that isn't there", () => {
  it("is told at the start, once it was chosen", async () => {
    const home = join(directory.path, "home");
    mkdirSync(join(home, "agents", "bot"), { recursive: true, mode: 0o700 });
    const told =
      /"warn".*the setting agents\.default names zzz, and there is no such agent.*agents create zzz/;
    for (const [id, expected] of [["zzz", true], ["bot", false]] as const) {
      writeFileSync(join(home, "config.json"), JSON.stringify({ agents: { default: id } }));
      const holon = await startHolon({ home, program });
      scripts.push(holon.script);
      assert.equal(await holon.stop(), 0);
      assert.equal(told.test(holon.script.stderr()), expected, holon.script.stderr());
    }
  });
});

const isRoot = process.getuid?.() === 0;
const skip = isRoot ? false : "needs root to become another user";

/** The same command as an unprivileged user, whom root's powers don't help. */
function asNobody(): readonly string[] {
  return ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--", ...program];
}

describe("a home that can't be used", () => {
  it("is named in one sentence when it may not be written to", { skip }, async () => {
    chmodSync(directory.path, 0o755);
    const home = join(directory.path, "home");
    mkdirSync(home, { mode: 0o755 });
    for (const path of [home, join(directory.path, "new")]) {
      const script = attempt(path, asNobody());
      assert.equal(await script.exited, 1, script.stderr());
      assert.equal(script.stdout(), "");
      assert.match(script.stderr(), /^holon: .*(?:permissions refuse it|can't be used)/);
      assert.doesNotMatch(script.stderr(), /\n\s+at /);
    }
    chownSync(home, 65534, 65534);
    chmodSync(home, 0o000);
    const closed = attempt(home, asNobody());
    assert.equal(await closed.exited, 1);
    assert.match(closed.stderr(), /^holon: the home/);
  });

  it("is named when its path is too long for a socket", async () => {
    const script = attempt(join(directory.path, "x".repeat(120)));
    assert.equal(await script.exited, 1);
    assert.match(script.stderr(), /too long for its socket[^]*--home DIR/);
  });
});
