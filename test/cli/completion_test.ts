import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { CONFIG_KEYS } from "../../src/config/schema.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { run } from "./memory_io.ts";

let directory: TempDirectory;
let home: string;
before(() => {
  directory = tempDirectory();
  home = join(directory.path, "home");
  for (const app of ["main/card", "main/notes", "bot/card"]) {
    const [agent, id] = app.split("/") as [string, string];
    mkdirSync(join(home, "agents", agent, "apps", id), { recursive: true });
  }
  const profiles = join(directory.path, ".config", "holon", "profiles");
  mkdirSync(profiles, { recursive: true });
  writeFileSync(join(profiles, "lab.json"), "{}", { mode: 0o600 });
});
after(() => directory.remove());

/** What bash would be offered for the last of the words. */
async function offered(...words: readonly string[]): Promise<readonly string[]> {
  const env = { HOLON_HOME: home, HOME: directory.path };
  const { code, out, err } = await run(["completion", "bash", ...words], { env });
  assert.deepEqual([code, err], [0, ""]);
  return out.split("\n").filter((line) => line !== "").sort();
}

describe("completion", () => {
  it("offers commands, options and fixed values", async () => {
    assert.deepEqual(await offered("mes"), ["messages"]);
    assert.deepEqual(await offered("messages", "re"), ["retry"]);
    assert.deepEqual(await offered("apps", "new", "x", "--template", "ca"), ["card"]);
    assert.deepEqual(
      await offered("apps", "list", "--token"),
      ["--token", "--token-file", "--token-profile"],
    );
    assert.ok((await offered("")).includes("serve"));
  });

  it("offers settings, agents, apps and profiles that there are", async () => {
    const keys = CONFIG_KEYS.map(({ name }) => name).sort();
    const words = await offered("config", "get", "");
    assert.deepEqual(words.filter((word) => !word.startsWith("-")), keys);
    assert.deepEqual(await offered("config", "set", "local_apps.max"), [
      "local_apps.max_asset_bytes",
    ]);
    assert.deepEqual(await offered("messages", "list", "--agent", ""), ["bot", "main"]);
    assert.deepEqual(await offered("messages", "send", "m"), ["main"]);
    assert.deepEqual(
      (await offered("apps", "check", "main/")).filter((word) => !word.startsWith("__")),
      ["main/card", "main/notes"],
    );
    assert.deepEqual(await offered("agents", "list", "--token-profile", ""), ["lab"]);
    assert.deepEqual(await offered("profile", "remove", "l"), ["lab"]);
    const other = join(directory.path, "other");
    mkdirSync(join(other, "agents", "elsewhere"), { recursive: true });
    assert.deepEqual(await offered("apps", "list", "--home", other, "--agent", ""), ["elsewhere"]);
  });

  it("leaves files to the shell, and is silent where there is nothing", async () => {
    assert.match((await offered("serve", "--token-file", "x")).join(), /^__FILE__:file:/);
    assert.match((await offered("apps", "list", "--home", "x")).join(), /^__FILE__:directory:/);
    const env = { HOLON_HOME: join(directory.path, "none") };
    const args = ["completion", "bash", "apps", "list", "--agent", ""];
    assert.deepEqual(await run(args, { env }), { code: 0, out: "", err: "" });
    assert.equal((await run(args, { env: {} })).code, 0);
  });

  it("makes a script for each shell, and names them for another", async () => {
    for (
      const [shell, sign] of [
        ["bash", /^ *complete .*-F _holon .*holon$/m],
        ["zsh", /^#compdef holon/m],
        ["fish", /^complete .*-c holon /m],
        ["powershell", /Register-ArgumentCompleter -Native -CommandName holon/],
        ["pwsh", /Register-ArgumentCompleter/],
      ] as const
    ) {
      const { code, out } = await run(["completion", shell]);
      assert.equal(code, 0, shell);
      assert.match(out, sign, shell);
    }
    const unknown = await run(["completion", "csh"]);
    assert.equal(unknown.code, 2);
    assert.match(unknown.err, /bash.*fish.*zsh/s);
    assert.match((await run(["completion", "--help"])).out, /eval "\$\(holon completion bash\)"/);
  });
});
