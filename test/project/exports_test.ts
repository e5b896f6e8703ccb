import assert from "node:assert/strict";
import { it } from "node:test";
import { toolPath } from "../../scripts/gate/tools.ts";
import { startScript } from "../support/runtime.ts";
import * as holon from "../../mod.ts";

it("mod.ts exports createHolon and no default, and starts nothing when imported", () => {
  assert.equal(typeof holon.createHolon, "function");
  // Bun and `deno serve` would open a server of their own for it, without our checks.
  assert.equal("default" in holon, false);
});

it("deno serve has nothing in mod.ts to serve", async () => {
  const script = startScript("mod.ts", {
    command: [
      toolPath("deno"),
      ...["serve", "-A", "--port=0", "--no-check", "--node-modules-dir=manual", "mod.ts"],
    ],
  });
  // It runs mod.ts as a program, which prints the help and ends.
  assert.equal(await script.exited, 2);
  assert.doesNotMatch(script.stdout() + script.stderr(), /Listening/);
});
