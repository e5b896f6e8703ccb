import assert from "node:assert/strict";
import { mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { toolPath } from "../../scripts/gate/tools.ts";
import { startHolon } from "../support/served_holon.ts";
import { isOffline, requireAll } from "../support/tools.ts";
import { startScript } from "../support/runtime.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

/** A binary holds a whole runtime. */
const LEAST_BYTES = 50_000_000;

let directory: TempDirectory;
before(() => {
  directory = tempDirectory();
});
after(() => directory.remove());

async function run(command: readonly string[], env: Record<string, string> = {}, cwd?: string) {
  const script = startScript("", { command, env, ...(cwd === undefined ? {} : { cwd }) });
  const code = await script.exited;
  return { code, output: script.stdout() + script.stderr() };
}

describe("the binary that Bun compiles", () => {
  it("serves apps from an empty folder, with an empty HOME", async () => {
    const binary = join(directory.path, "holon");
    const compiled = await run([
      toolPath("bun"),
      ...["build", "--compile", "--minify", "./mod.ts", "--outfile", binary],
    ]);
    assert.equal(compiled.code, 0, compiled.output);
    assert.ok(statSync(binary).size > LEAST_BYTES);

    const cwd = join(directory.path, "empty");
    const user = join(directory.path, "user");
    mkdirSync(cwd);
    mkdirSync(user);
    const env = { HOME: user, PATH: "/usr/bin:/bin" };
    const version = await run([binary, "version"], env, cwd);
    assert.equal(version.code, 0, version.output);

    const home = join(user, ".holon");
    const holon = await startHolon({
      home,
      program: [binary],
      cwd,
      env: { ...env, HOLON_HOME: "" },
    });
    try {
      const app = join(home, "agents", "main", "apps", "dropped");
      mkdirSync(app, { recursive: true });
      writeFileSync(join(app, "index.html"), "<!doctype html><title>Dropped</title>");
      const get = async (path: string) => {
        const response = await fetch(holon.url + path);
        return { status: response.status, text: await response.text() };
      };
      const dropped = await get("/apps/main/dropped/");
      assert.equal(dropped.status, 200);
      assert.match(dropped.text, /Dropped/);
      const sdk = await get("/apps/main/dropped/holon.js");
      assert.equal(sdk.status, 200);
      assert.match(sdk.text, /Holon/);
      assert.equal((await get("/apps/main/ping-card/")).status, 200);
      const page = await get("/");
      assert.equal(page.status, 200);
      for (const [, path = ""] of page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
        assert.equal((await get(path)).status, 200, path);
      }
      const list = await run([binary, "apps", "list", "--json"], { ...env, HOLON_HOME: home }, cwd);
      assert.equal(list.code, 0, list.output);
      assert.match(list.output, /dropped/);
    } finally {
      assert.equal(await holon.stop(), 0);
    }
    const daemon = async (...args: string[]) => {
      const options = { ...env, HOLON_HOME: home, HOLON_HTTP_ADDR: "127.0.0.1:0" };
      const { code, output } = await run(
        [binary, "daemon", ...args, "--json", "--quiet"],
        options,
        cwd,
      );
      assert.equal(code, 0, output);
      return JSON.parse(output);
    };
    const { pid } = await daemon("start", "--log=text");
    try {
      const restarted = await daemon("restart");
      assert.notEqual(restarted.pid, pid);
      assert.equal((await daemon("status")).pid, restarted.pid);
    } finally {
      await daemon("stop");
    }
    assert.deepEqual(readdirSync(cwd), []);
  });
});

describe("deno compile", () => {
  it("embeds all that is served, and runtime dependencies only", async (context) => {
    const binary = join(directory.path, "holon-deno");
    // With Deno itself in the place of the base binary nothing is fetched, and the step that
    // builds the graph and embeds it is the real one. Only a fetched base could then run it.
    const compiled = await run(
      [toolPath("deno"), "compile", "-A", "--no-lock", "--output", binary, "mod.ts"],
      { DENORT_BIN: realpathSync(toolPath("deno")), NO_COLOR: "1" },
    );
    if (compiled.code !== 0 && !requireAll && isOffline(compiled.output)) {
      return context.skip("the npm registry can't be reached");
    }
    assert.equal(compiled.code, 0, compiled.output);
    assert.ok(statSync(binary).size > LEAST_BYTES);
    // Before the list it may tell of downloads: of tools, too, to find out which versions fit.
    const embedded = compiled.output.slice(compiled.output.indexOf("Embedded Files"));
    for (const file of ["holon.ts", "serve.ts", "routes.ts", "zod/"]) {
      assert.ok(embedded.includes(` ${file}`), `${file} in\n${compiled.output}`);
    }
    assert.doesNotMatch(embedded, /playwright|typescript|esbuild/);
  });
});
