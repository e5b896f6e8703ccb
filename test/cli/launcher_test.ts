import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { toolPath } from "../../scripts/gate/tools.ts";
import { VERSION } from "../../src/version.ts";
import { repositoryRoot, startScript } from "../support/runtime.ts";
import { tempDirectory } from "../support/temp_home.ts";
import { findProgram } from "../support/tools.ts";

const LAUNCHER = "scripts/holon.js";
const found = findProgram("node");
const version = found === undefined ? "" : execFileSync(found, ["--version"], { encoding: "utf8" });
const isOld = Number(/^v(\d+)/.exec(version)?.[1]) < 24;
const skip = isOld ? false : "this machine has no Node.js older than 24";

it("scripts/holon.js hands over from an older Node.js to the installed one", { skip }, async () => {
  const command = [`${found}`, LAUNCHER];
  const shown = startScript("", { command: [...command, "version"] });
  assert.equal(await shown.exited, 0, shown.stderr());
  assert.ok(shown.stdout().startsWith(`holon ${VERSION} (node `));
  const wrong = startScript("", { command: [...command, "no-such-command"] });
  assert.equal(await wrong.exited, 2);
});

it("scripts/holon.js passes a signal on, and the end that it leads to", { skip }, async () => {
  const directory = tempDirectory();
  try {
    const args = ["serve", "--port", "0", "--home", join(directory.path, "home")];
    const script = startScript("", { command: [`${found}`, LAUNCHER, ...args] });
    const [, url] = await script.line(/^holon listening on (\S+)$/);
    assert.equal(await script.stop("SIGTERM"), 0, script.stderr());
    await assert.rejects(fetch(`${url}/`));
  } finally {
    directory.remove();
  }
});

it("scripts/holon.js tells an older Node.js in one sentence what to do", { skip }, async () => {
  const directory = tempDirectory();
  try {
    mkdirSync(join(directory.path, "scripts"));
    const alone = join(directory.path, LAUNCHER);
    copyFileSync(join(repositoryRoot, LAUNCHER), alone);
    writeFileSync(join(directory.path, "package.json"), '{"type":"module"}');
    const script = startScript("", { command: [`${found}`, alone, "serve"] });
    assert.equal(await script.exited, 1);
    assert.equal(script.stdout(), "");
    assert.match(script.stderr(), /^Holon needs Node\.js 24 or newer, .*`npm run serve`.*\n$/);
  } finally {
    directory.remove();
  }
});

it("scripts/holon.js runs the CLI on a Node.js that is new enough", async () => {
  const script = startScript("", { command: [toolPath("node"), LAUNCHER, "version"] });
  assert.equal(await script.exited, 0, script.stderr());
  assert.ok(script.stdout().startsWith(`holon ${VERSION} (node `));
});
