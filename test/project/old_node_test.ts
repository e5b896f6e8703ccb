import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { it } from "node:test";
import { repositoryRoot, startScript } from "../support/runtime.ts";
import { findProgram } from "../support/tools.ts";

const NODE = findProgram("node");
const version = NODE === undefined ? "" : execFileSync(NODE, ["--version"], { encoding: "utf8" });
const isOld = Number(/^v(\d+)/.exec(version)?.[1]) < 24;
const skip = isOld ? false : "this machine has no Node.js older than 24";

it("an older Node.js gets one sentence from the guard of npm's scripts", { skip }, async () => {
  const script = startScript("", {
    command: [`${NODE}`, "--import", "./scripts/require_node.js", "mod.ts", "serve"],
    cwd: repositoryRoot,
  });
  assert.equal(await script.exited, 1);
  assert.equal(script.stdout(), "");
  assert.match(script.stderr(), /^Holon needs Node\.js 24 or newer, .*\n$/);
});
