import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { tempDirectory } from "../support/temp_home.ts";
import { run } from "./memory_io.ts";

describe("a home that does not exist", () => {
  it("is told by what lists things of it, and is not made", async () => {
    const directory = tempDirectory();
    const home = join(directory.path, "none");
    for (
      const args of [
        ["apps", "list"],
        ["apps", "list", "--json"],
        ["apps", "list", "--agent", "main"],
        ["agents", "list"],
        ["agents", "list", "--quiet"],
        ["messages", "list"],
        ["messages", "show", "m1"],
        ["messages", "cancel", "m1"],
      ]
    ) {
      assert.deepEqual(await run(args, { home }), {
        code: 1,
        out: "",
        err: `holon: There is no home at ${home}\n` +
          "  Make it with `holon serve` or `holon daemon start`, or name another one with " +
          "--home DIR.\n",
      }, args.join(" "));
    }
    assert.ok(!existsSync(home));
    directory.remove();
  });
});
