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
    assert.deepEqual(await offered("config", "get", ""), keys);
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

  it("offers what a setting takes, where that is a fixed set or a name", async () => {
    const values = async (key: string, begun = "") => await offered("config", "set", key, begun);
    assert.deepEqual(await values("local_apps.live_reload"), ["auto", "off", "on"]);
    assert.deepEqual(await values("local_apps.live_reload", "o"), ["off", "on"]);
    assert.deepEqual(await values("local_apps.profile"), ["open", "strict"]);
    assert.deepEqual(await values("local_apps.precompressed"), ["false", "true"]);
    assert.deepEqual(await values("agents.default"), ["bot", "main"]);
    assert.deepEqual(await values("local_apps.csp"), ["null"]);
    assert.deepEqual(await values("local_apps.own_origin", "m"), ["main/card", "main/notes"]);
    assert.deepEqual(await values("local_apps.max_asset_bytes"), []);
  });

  it("offers apps of the default agent by their ids, and the rest with their agents", async () => {
    const apps = async (begun: string) =>
      (await offered("apps", "check", begun)).filter((word) => !word.startsWith("__"));
    assert.deepEqual(await apps(""), ["bot/card", "card", "notes"]);
    assert.deepEqual(await apps("ca"), ["card"]);
    assert.deepEqual(await apps("main"), ["main/card", "main/notes"]);
  });

  it("offers options only once one was begun", async () => {
    for (const shell of ["bash", "fish", "powershell", "zsh"]) {
      for (const words of [["apps", ""], ["messages", "show", ""], ["serve", ""], [""]]) {
        const { out } = await run(["completion", shell, ...words], { home });
        assert.doesNotMatch(out, /--?[hV]/, `${shell} ${words.join(" ")}`);
      }
      assert.match((await run(["completion", shell, "apps", "-"], { home })).out, /-h/);
    }
    assert.ok((await offered("apps", "--")).includes("--help"));
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
