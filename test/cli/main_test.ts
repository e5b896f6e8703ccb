import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { commandsOf } from "../../src/cli/command_words.ts";
import { grammar } from "../../src/cli/grammar.ts";
import { nearest } from "../../src/cli/nearest.ts";
import { printable, printableLines } from "../../src/cli/output.ts";
import { VERSION } from "../../src/version.ts";
import { run } from "./memory_io.ts";

const COMMANDS = commandsOf(grammar.usage).map(({ words }) => words);

describe("main()", () => {
  it("knows its commands by its grammar", () => {
    const names = COMMANDS.map((words) => words.join(" "));
    for (const name of ["serve", "apps list", "messages send", "profile add", "version"]) {
      assert.ok(names.includes(name), name);
    }
    assert.equal(new Set(names).size, names.length);
  });

  it("breaks usage lines between options, at 80 columns or the terminal's", async () => {
    const groups = [...new Set(COMMANDS.map(([group]) => [group!]))];
    const widths: readonly (readonly [object, number, readonly (readonly string[])[]])[] = [
      [{}, 80, [...COMMANDS, ...groups, []]],
      [{ columns: 50, terminal: true }, 50, [["serve"], ["messages"], ["messages", "send"]]],
      [{ columns: 300 }, 100, [["serve"]]],
    ];
    for (const [options, width, commands] of widths) {
      for (const command of commands) {
        const { out } = await run([...command, "--help"], options);
        // deno-lint-ignore no-control-regex
        const plain = out.replace(/\u001b\[[0-9;]*m/g, "");
        const usage = plain.slice(plain.indexOf("Usage: ")).split("\n\n")[0]!.split("\n");
        for (const line of usage) {
          assert.ok(line.length <= width, line);
          assert.equal(line.split(/[[(]/).length, line.split(/[\])]/).length, line);
        }
        assert.doesNotMatch(plain, / $/m);
      }
    }
    const { out } = await run(["apps", "list", "--help"]);
    assert.ok(
      out.includes(
        "\nUsage: holon apps list [--agent AGENT] [--connect URL] [--token TOKEN]\n" +
          "       [--token-file FILE] [--token-profile NAME] [--timeout SECONDS]\n" +
          "       [--home DIR] [--json] [-q/--quiet]\n\n",
      ),
      out,
    );
  });

  it("has help for every command, with --home, --json and --quiet", async () => {
    for (const command of COMMANDS) {
      const { code, out, err } = await run([...command, "--help"]);
      assert.equal(code, 0, command.join(" "));
      assert.equal(err, "");
      assert.ok(out.includes(`holon ${command.join(" ")}`), out);
      for (const option of ["--home DIR", "--json", "--quiet"]) {
        assert.ok(out.includes(option), out);
      }
    }
  });

  it("prints help and exits 2 when no command is given", async () => {
    for (const args of [[], ["apps"], ["config"]]) {
      const { code, out, err } = await run(args);
      assert.equal(code, 2);
      assert.equal(out, "");
      assert.match(err, /Usage: holon/);
    }
  });

  it("exits 2 with one sentence and a hint for a wrong command line", async () => {
    const wrong: readonly [string[], RegExp][] = [
      [["serv"], /Did you mean `serve`\?/],
      [["apps", "lst"], /Did you mean `list`\?/],
      [["serve", "--prt", "1"], /Did you mean `--port`\?/],
      [["serve", "--port", "65536"], /--port/],
      [["serve", "--port", "x"], /--port/],
      [["apps", "new"], /NAME/],
      [["apps", "new", "x", "--template", "no"], /card.*dashboard.*wasm/],
      [["version", "extra"], /^holon: `extra` is one too many$/m],
      [["config", "get"], /^holon: `KEY` is missing$/m],
      [["ev\u001b[31mil"], /^holon: there is no command `holon ev\ufffd\[31mil`$/m],
      [["nothing"], /^holon: there is no command `holon nothing`$/m],
      [["apps", "--json"], /^holon: `holon apps` has no option `--json`$/m],
      [["apps", "list", "--limit", "1"], /^holon: `holon apps list` has no option `--limit`$/m],
      [["aps", "list"], /^holon: there is no command `holon aps`\. Did you mean `apps`\?$/m],
    ];
    for (const [args, pattern] of wrong) {
      const { code, out, err } = await run(args);
      assert.equal(code, 2, args.join(" "));
      assert.equal(out, "");
      assert.match(err, pattern);
      assert.match(err, /Run `holon .*--help`/);
      assert.equal(err.trim().split("\n").length, 2, err);
    }
  });

  it("shows a stack only when HOLON_DEBUG is set", async () => {
    const args = ["config", "get", "no.such"];
    const quiet = await run(args, { home: "/nonexistent" });
    assert.doesNotMatch(quiet.err, /\n\s+at /);
    const loud = await run(args, { home: "/nonexistent", env: { HOLON_DEBUG: "1" } });
    assert.match(loud.err, /Fault: .*no\.such/);
  });

  it("says so when the home is not known", async () => {
    const { code, err } = await run(["config", "list"], { env: {} });
    assert.equal(code, 1);
    assert.match(err, /no HOME.*\n.*--home DIR/);
  });
});

describe("version", () => {
  it("is the one of package.json", async () => {
    const manifest = JSON.parse(
      readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
    );
    assert.equal(VERSION, manifest.version);
    assert.match((await run(["version"])).out, new RegExp(`^holon ${VERSION} \\(\\w+ [\\d.]+`));
    assert.equal(JSON.parse((await run(["version", "--json"])).out).version, VERSION);
    assert.equal((await run(["--version"])).out, `${VERSION}\n`);
  });
});

describe("colour", () => {
  it("is for terminals only, and not where NO_COLOR or a dumb terminal is set", async () => {
    const esc = "\u001b[";
    const out = async (terminal: boolean, env: Record<string, string>) =>
      (await run(["config", "list"], { terminal, env, home: "/nonexistent" })).out;
    assert.ok((await out(true, {})).includes(esc));
    assert.ok(!(await out(false, {})).includes(esc));
    assert.ok(!(await out(true, { NO_COLOR: "1" })).includes(esc));
    assert.ok(!(await out(true, { TERM: "dumb" })).includes(esc));
  });
});

describe("printable()", () => {
  it("leaves nothing that steers a terminal", () => {
    assert.equal(
      printable("a\u001b[31mb\r\nc\u202e\u009b"),
      "a\ufffd[31mb\ufffd\ufffdc\ufffd\ufffd",
    );
    assert.equal(printableLines("a\r\n\tb\u0007"), "a\r\n\tb\ufffd");
    assert.equal(printable("Grüße, 日本 🎈"), "Grüße, 日本 🎈");
  });
});

describe("nearest()", () => {
  it("guesses near words only", () => {
    assert.equal(nearest("lst", ["list", "new"]), "list");
    assert.equal(nearest("xyz", ["list", "new"]), undefined);
    assert.equal(nearest("a", ["b"]), undefined);
  });
});
