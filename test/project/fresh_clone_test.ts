import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { toolPath } from "../../scripts/gate/tools.ts";
import { repositoryRoot, startScript } from "../support/runtime.ts";
import { startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { findProgram, requireAll } from "../support/tools.ts";

const skip = requireAll
  ? false
  : "it downloads all packages anew: HOLON_REQUIRE_ALL=1 npm test -- test/project/fresh_clone";

/** The folders of what is needed at run time: the mapped packages and what they depend on. */
function runtimePackages(): readonly string[] {
  const read = (name: string) => JSON.parse(readFileSync(join(repositoryRoot, name), "utf8"));
  // A name without its version, and without the peers that Deno writes behind that.
  const nameOf = (text: string) => /^@?[^@]+/.exec(text)![0];
  const locked = Object.entries(read("deno.lock").npm as Record<string, Locked>);
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const [key, { dependencies = [] }] of locked) {
      if (nameOf(key) === name) dependencies.map(nameOf).forEach(add);
    }
  };
  Object.keys(read("deno.json").imports).map((name) => name.replace(/\/$/, "")).forEach(add);
  return [...new Set([...found].map((name) => name.split("/")[0]!))].sort();
}

interface Locked {
  readonly dependencies?: readonly string[];
}

/** Long enough for the packages to arrive. */
const TIMEOUT = 120_000;

describe("a fresh clone", { skip, timeout: 2 * TIMEOUT }, () => {
  let directory: TempDirectory;
  before(() => {
    directory = tempDirectory();
  });
  after(() => directory.remove());

  /** A copy of the files that git would take, an empty HOME, and a PATH with the named programs alone. */
  function clone(name: string, programs: Readonly<Record<string, string | undefined>>) {
    const cwd = join(directory.path, name);
    const home = join(directory.path, `${name}-home`);
    const bin = join(directory.path, `${name}-bin`);
    mkdirSync(home);
    mkdirSync(bin);
    for (const [program, path = ""] of Object.entries(programs)) {
      symlinkSync(realpathSync(path), join(bin, program));
    }
    const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    const list = execFileSync("git", args, { cwd: repositoryRoot, encoding: "utf8" });
    for (const path of list.split("\0").filter((path) => path !== "")) {
      if (!existsSync(join(repositoryRoot, path))) continue;
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      cpSync(join(repositoryRoot, path), join(cwd, path), { verbatimSymlinks: true });
    }
    const env = {
      HOME: home,
      PATH: bin,
      DENO_DIR: undefined,
      NODE_PATH: undefined,
      HOLON_HOME: "",
    };
    return { cwd, home, env };
  }

  async function serves(cwd: string, env: Record<string, string | undefined>, program: string[]) {
    const home = join(env["HOME"] ?? "", ".holon");
    const holon = await startHolon({ home, program, cwd, env, timeout: TIMEOUT });
    try {
      const response = await fetch(`${holon.url}/apps/main/ping-card/`);
      assert.equal(response.status, 200);
      await response.body?.cancel();
    } finally {
      assert.equal(await holon.stop(), 0);
    }
    assert.ok(existsSync(join(home, "agents", "main")));
  }

  it("serves with Deno alone, which fetches runtime dependencies only", async () => {
    const { cwd, home, env } = clone("deno", { deno: toolPath("deno") });
    const lock = readFileSync(join(cwd, "deno.lock"), "utf8");
    await serves(cwd, env, ["deno", "run", "-A", "mod.ts"]);
    const [registry = ""] = readdirSync(join(home, ".cache", "deno", "npm"));
    const fetched = readdirSync(join(home, ".cache", "deno", "npm", registry));
    assert.deepEqual(fetched.sort(), runtimePackages());
    assert.ok(!fetched.includes("esbuild") && !fetched.includes("playwright-core"));
    assert.equal(existsSync(join(cwd, "node_modules")), false);
    assert.equal(readFileSync(join(cwd, "deno.lock"), "utf8"), lock, "deno.lock is out of date");
  });

  it("serves with Deno alone and no more permissions than it needs", async () => {
    const { cwd, env } = clone("confined", { deno: toolPath("deno"), env: findProgram("env") });
    await serves(cwd, env, ["deno", "task", "--quiet"]);
    await serves(cwd, env, ["deno", "run", "-P", "mod.ts"]);
  });

  it("serves with Bun alone after bun install", async () => {
    const { cwd, env } = clone("bun", { bun: toolPath("bun") });
    const lock = readFileSync(join(cwd, "bun.lock"), "utf8");
    const install = startScript("", { command: ["bun", "install"], cwd, env });
    assert.equal(await install.exited, 0, install.stderr());
    assert.equal(readFileSync(join(cwd, "bun.lock"), "utf8"), lock, "bun.lock is out of date");
    await serves(cwd, env, ["bun", "run", "--silent"]);
  });

  it("serves with the system's Node.js and npm after npm ci, again and again", async () => {
    const programs = { node: findProgram("node"), npm: findProgram("npm"), sh: findProgram("sh") };
    const { cwd, env } = clone("npm", programs);
    for (let round = 0; round < 2; round++) {
      const install = startScript("", { command: ["npm", "ci"], cwd, env });
      assert.equal(await install.exited, 0, install.stderr());
      await serves(cwd, env, ["npm", "run", "--silent"]);
    }
  });
});
