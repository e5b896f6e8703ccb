import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import process from "node:process";
import { commandFor, selfCommand, type StartedBy } from "../../src/host/self_command.ts";

describe("commandFor()", () => {
  const started = (runtime: StartedBy["runtime"], flags: readonly string[] = []): StartedBy => ({
    runtime,
    execPath: "/bin/program",
    script: "/x/mod.ts",
    flags,
    cwd: "/work",
  });
  const args = (runtime: StartedBy["runtime"], ...flags: string[]) =>
    commandFor(started(runtime, flags), ["serve"]).command.slice(1).join(" ");

  it("starts a binary by itself", () => {
    assert.deepEqual(commandFor(started("binary"), ["serve", "--port=1"]), {
      command: ["/bin/program", "serve", "--port=1"],
      cwd: null,
    });
  });

  it("passes on what shapes a server, and no preloaded modules or inspectors", () => {
    assert.equal(
      args("node", "--import", "./x.js", "--inspect=1", "--max-old-space-size=99", "--test"),
      "--max-old-space-size=99 /x/mod.ts serve",
    );
    assert.equal(args("bun", "--smol", "--hot"), "--smol /x/mod.ts serve");
  });

  it("passes on Deno's permissions, and all of them where they can't be told", () => {
    assert.equal(
      args("deno", "run", "--no-lock", "--allow-read=/a", "--watch"),
      "run --no-lock --allow-read=/a /x/mod.ts serve",
    );
    assert.equal(args("deno", "-A"), "run -A /x/mod.ts serve");
    assert.equal(args("deno"), "run -A /x/mod.ts serve");
  });

  it("stays in the folder where a flag of Deno's names a file relative to it", () => {
    const cwd = (...flags: string[]) => commandFor(started("deno", ["run", ...flags]), []).cwd;
    assert.equal(cwd("-A", "--node-modules-dir=manual"), null);
    assert.equal(cwd("--allow-read=/a,b"), "/work");
    assert.equal(cwd("--allow-write=/a"), null);
    assert.equal(cwd("--config=deno.json"), "/work");
  });
});

describe("selfCommand()", () => {
  it("names a program that is there", () => {
    const [program] = selfCommand(["serve"]).command;
    assert.equal(program, process.execPath);
    execFileSync(program, ["--version"]);
  });
});
