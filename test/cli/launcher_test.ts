import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { it } from "node:test";
import { toolPath } from "../../scripts/gate/tools.ts";
import { VERSION } from "../../src/version.ts";
import { startScript } from "../support/runtime.ts";
import { findProgram } from "../support/tools.ts";

const LAUNCHER = "scripts/holon.js";
const found = findProgram("node");
const version = found === undefined ? "" : execFileSync(found, ["--version"], { encoding: "utf8" });
const isOld = Number(/^v(\d+)/.exec(version)?.[1]) < 24;
const skip = isOld ? false : "this machine has no Node.js older than 24";

it("scripts/holon.js tells an older Node.js in one sentence what to do", { skip }, async () => {
  const script = startScript("", { command: [`${found}`, LAUNCHER, "serve"] });
  assert.equal(await script.exited, 1);
  assert.equal(script.stdout(), "");
  assert.match(script.stderr(), /^Holon needs Node\.js 24 or newer, .*`npm run serve`.*\n$/);
});

it("scripts/holon.js runs the CLI on a Node.js that is new enough", async () => {
  const script = startScript("", { command: [toolPath("node"), LAUNCHER, "version"] });
  assert.equal(await script.exited, 0, script.stderr());
  assert.ok(script.stdout().startsWith(`holon ${VERSION} (node `));
});
