import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { skipWithout } from "../support/tools.ts";
import { repositoryRoot } from "../support/runtime.ts";
import { toolPath } from "../../scripts/gate/tools.ts";
import { tempDirectory } from "../support/temp_home.ts";

/** Does what bash does when a person presses Tab, and prints what it would offer. */
const SCRIPT = `
holon() { "$NODE" "$HOLON/mod.ts" "$@"; }
source <(holon completion bash)
offer() {
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=\${#COMP_LINE}
  COMPREPLY=()
  "$(complete -p holon | sed 's/.*-F \\([^ ]*\\).*/\\1/')" holon "\${COMP_WORDS[COMP_CWORD]}"
  echo "\${COMPREPLY[@]}"
}
offer holon mess
offer holon config get local_apps.max
offer holon messages list --agent b
`;

describe("holon completion bash", { skip: skipWithout("bash") }, () => {
  it("completes commands, settings and agents in a real shell", () => {
    const directory = tempDirectory();
    mkdirSync(join(directory.path, "agents", "bot"), { recursive: true });
    const out = execFileSync("bash", ["--norc", "-c", SCRIPT], {
      encoding: "utf8",
      timeout: 240_000,
      env: {
        PATH: process.env["PATH"],
        HOME: directory.path,
        HOLON_HOME: directory.path,
        NODE: toolPath("node"),
        HOLON: repositoryRoot,
      },
    });
    directory.remove();
    assert.deepEqual(out.trim().split("\n"), ["messages", "local_apps.max_asset_bytes", "bot"]);
  });
});
