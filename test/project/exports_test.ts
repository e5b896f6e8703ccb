import assert from "node:assert/strict";
import { it } from "node:test";
import { startScript } from "../support/runtime.ts";
import * as holon from "../../mod.ts";

it("mod.ts exports createHolon and no default, and starts nothing when imported", () => {
  assert.equal(typeof holon.createHolon, "function");
  // Bun and `deno serve` would open a server of their own for it, without our checks.
  assert.equal("default" in holon, false);
});

it("deno serve has nothing in mod.ts to serve", async () => {
  const { toolPath } = await import("../../scripts/gate/tools.ts");
  const script = startScript("mod.ts", {
    command: [
      toolPath("deno"),
      ...["serve", "-A", "--port=0", "--no-check", "--node-modules-dir=manual", "mod.ts"],
    ],
  });
  assert.equal(await script.exited, 1);
  assert.doesNotMatch(script.stdout() + script.stderr(), /Listening/);
});
