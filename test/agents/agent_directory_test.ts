import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import { type AgentDirectory, createAgentDirectory } from "../../src/agents/agent_directory.ts";
import { Fault } from "../../src/fault.ts";
import { createHost } from "../../src/host/current.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

const host = createHost();

describe("createAgentDirectory()", () => {
  let home: TempDirectory;
  let directory: AgentDirectory;

  beforeEach(() => {
    home = tempDirectory();
    directory = createAgentDirectory(home.path, host.files, host.clock.now);
  });
  afterEach(() => home.remove());

  const inAgent = (...names: string[]) => join(home.path, "agents", ...names);

  async function configure(text: string): Promise<void> {
    await directory.create("main");
    writeFileSync(inAgent("main/agent.json"), text, { mode: 0o600 });
  }

  it("create() makes a private directory with apps/, and leaves one that is there alone", async () => {
    assert.deepEqual(await directory.create("main"), { id: "main", runner: null, problem: null });
    for (const name of ["main", "main/apps"]) {
      assert.equal(statSync(inAgent(name)).mode & 0o777, 0o700);
    }
    writeFileSync(inAgent("main/kept"), "");
    await directory.create("main");
    assert(statSync(inAgent("main/kept")).isFile());
  });

  it("list() gives directories by id and skips all else (BR-19)", async () => {
    assert.deepEqual(await directory.list(), []);
    for (const id of ["zeta", "main", "a.b"]) await directory.create(id);
    for (const name of [".hidden", "with space", "ümlaut", "x".repeat(129)]) {
      mkdirSync(inAgent(name));
    }
    mkdirSync(Buffer.concat([Buffer.from(inAgent("ag")), Buffer.from([0xfe])]));
    writeFileSync(inAgent("file"), "");
    symlinkSync("main", inAgent("link"));
    assert.deepEqual((await directory.list()).map(({ id }) => id), ["a.b", "main", "zeta"]);
  });

  it("require() refuses ids outside the rule, and agents that are not there", async () => {
    await directory.create("main");
    symlinkSync("main", inAgent("link"));
    const codeOf = async (id: string) => {
      try {
        return (await directory.require(id)).id;
      } catch (error) {
        if (error instanceof Fault) return error.code;
        throw error;
      }
    };
    assert.equal(await codeOf("main"), "main");
    for (const id of ["none", "link", "apps"]) assert.equal(await codeOf(id), "not_found", id);
    for (const id of ["", "a/b", "a b", "ü"]) assert.equal(await codeOf(id), "bad_request", id);
    for (const id of ["..", ".hidden"]) assert.equal(await codeOf(id), "forbidden", id);
  });

  it("reads the runner, with its defaults", async () => {
    await configure('{ "runner": { "command": ["node", "worker.mjs"] } }');
    assert.deepEqual(await directory.require("main"), {
      id: "main",
      runner: { command: ["node", "worker.mjs"], timeoutSeconds: 600, concurrency: 1 },
      problem: null,
    });
    await configure('{ "runner": { "command": ["x"], "timeout_s": 5, "concurrency": 3 } }');
    const { runner } = await directory.require("main");
    assert.deepEqual(runner, { command: ["x"], timeoutSeconds: 5, concurrency: 3 });
  });

  it("names keys that it does not know, and goes on", async () => {
    await configure('{ "runer": 1, "runner": { "command": ["x"], "timeout": 5 } }');
    const { runner, problem } = await directory.require("main");
    assert.equal(runner?.command[0], "x");
    assert.match(problem ?? "", /runer, runner\.timeout/);
  });

  it("says what is wrong and runs nothing", async () => {
    const wrong = [
      "",
      "nonsense",
      "[]",
      '{ "runner": {} }',
      '{ "runner": { "command": [] } }',
      '{ "runner": { "command": "node" } }',
      '{ "runner": { "command": ["a\\u0000b"] } }',
      '{ "runner": { "command": ["x"], "timeout_s": 0 } }',
      '{ "runner": { "command": ["x"], "concurrency": 1.5 } }',
      JSON.stringify({ runner: { command: ["x"] }, padding: "x".repeat(70_000) }),
    ];
    for (const text of wrong) {
      await configure(text);
      const { runner, problem } = await directory.require("main");
      assert.equal(runner, null, text.slice(0, 80));
      assert.match(problem ?? "", /^agent\.json(?: is |: runner| has to be )/);
    }
    const listed = "has to be a list of 1 to 256 texts, the program and its arguments, such as " +
      '["node", "runner.js"]';
    for (
      const [text, want] of [
        ["null", 'agent.json has to be an object, such as {"runner": {"command": ["node",'],
        ['{ "runner": 5 }', "agent.json: runner has to be an object"],
        ['{ "runner": {} }', `agent.json: runner.command ${listed}`],
        ['{ "runner": { "command": "node" } }', `agent.json: runner.command ${listed}`],
        ['{ "runner": { "command": [1] } }', "agent.json: runner.command.0 has to be a text"],
        [
          '{ "runner": { "command": ["x"], "timeout_s": "5" } }',
          "agent.json: runner.timeout_s has to be a number of seconds from 1 to 604800",
        ],
        [
          '{ "runner": { "command": ["x"], "concurrency": 99 } }',
          "agent.json: runner.concurrency has to be a whole number from 1 to 64",
        ],
      ] as const
    ) {
      await configure(text);
      const { problem } = await directory.require("main");
      assert.ok(problem?.startsWith(want), problem ?? text);
    }
  });

  it("does not trust a file that others can write, or whose directory they can", async () => {
    await configure('{ "runner": { "command": ["x"] } }');
    for (const [name, mode] of [["agent.json", 0o622], ["", 0o770]] as const) {
      chmodSync(inAgent("main", name), mode);
      const { runner, problem } = await directory.require("main");
      assert.equal(runner, null);
      assert.match(problem ?? "", /can be written by other users/);
      chmodSync(inAgent("main", name), mode & 0o700);
      assert.equal((await directory.require("main")).runner?.command[0], "x");
    }
  });

  it(
    "does not trust another user's file",
    { skip: process.getuid?.() === 0 ? false : "only root can give files away" },
    async () => {
      await configure('{ "runner": { "command": ["x"] } }');
      chownSync(inAgent("main/agent.json"), 65534, 65534);
      const { runner, problem } = await directory.require("main");
      assert.equal(runner, null);
      assert.match(problem ?? "", /belongs to another user/);
    },
  );

  it("follows no link, and reads no directory", async () => {
    await configure("");
    writeFileSync(join(home.path, "elsewhere"), '{ "runner": { "command": ["x"] } }', {
      mode: 0o600,
    });
    const path = inAgent("main/agent.json");
    for (
      const make of [() => symlinkSync(join(home.path, "elsewhere"), path), () => mkdirSync(path)]
    ) {
      rmSync(path, { recursive: true, force: true });
      make();
      const { runner, problem } = await directory.require("main");
      assert.equal(runner, null);
      assert.match(problem ?? "", /regular file/);
    }
  });

  it("sees each change, also one that keeps the size and sets the time back", async () => {
    const past = new Date(Date.now() - 60_000);
    for (const name of ["aa", "bb", "cc"]) {
      await configure(`{ "runner": { "command": ["${name}"] } }`);
      utimesSync(inAgent("main/agent.json"), past, past);
      for (let look = 0; look < 3; look++) {
        assert.equal((await directory.require("main")).runner?.command[0], name);
      }
    }
    rmSync(inAgent("main/agent.json"));
    assert.equal((await directory.require("main")).runner, null);
  });
});
