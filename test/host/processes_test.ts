import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";
import { createProcesses } from "../../src/host/processes.ts";
import type { HostError, SpawnOptions } from "../../src/host/types.ts";
import { until } from "../support/until.ts";

const processes = createProcesses();
const hasProc = processes.startTime(process.pid) !== null;

function shell(script: string, options: Partial<SpawnOptions> = {}): SpawnOptions {
  return {
    command: ["sh", "-c", script],
    cwd: "/",
    env: { PATH: process.env["PATH"] ?? "" },
    stdin: new Uint8Array(),
    outputLimit: 10_000,
    ...options,
  };
}

async function run(options: SpawnOptions) {
  const child = await processes.spawn(options);
  child.begin();
  return await child.exited;
}

function failsWith(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.equal((error as HostError).code, code);
    return true;
  };
}

describe("spawn()", () => {
  it("hands over input and gives output and exit code", async () => {
    const stdin = new TextEncoder().encode("in");
    const exit = await run(shell("cat; echo err >&2; exit 3", { stdin }));
    assert.deepEqual(exit, {
      code: 3,
      signal: null,
      stdout: "in",
      stderr: "err\n",
      stdoutTruncated: false,
      stderrTruncated: false,
    });
  });

  it("gives the environment that it was told, and nothing else", async () => {
    process.env["HOLON_TEST_SECRET"] = "secret";
    const env = { PATH: process.env["PATH"] ?? "", A: "1", EMPTY: "" };
    const { stdout } = await run(shell("env", { env }));
    delete process.env["HOLON_TEST_SECRET"];
    const names = stdout.trim().split("\n").map((line) => line.split("=")[0]);
    const own = names.filter((name) => !["PWD", "SHLVL", "_", "OLDPWD"].includes(name!));
    assert.deepEqual(own.sort(), ["A", "EMPTY", "PATH"]);
  });

  it("starts in the directory that it was told", async () => {
    assert.equal((await run(shell("pwd", { cwd: "/usr" }))).stdout, "/usr\n");
  });

  it("looks the program up in the PATH of the new environment", async () => {
    const options = shell("true", { env: { PATH: "/nowhere" } });
    await assert.rejects(processes.spawn(options), failsWith("not_found"));
    await assert.rejects(
      processes.spawn(shell("", { command: ["./no-such-program"] })),
      failsWith("not_found"),
    );
    await assert.rejects(
      processes.spawn(shell("", { command: ["/etc/passwd"] })),
      failsWith("denied"),
    );
  });

  it("says not_found when the directory is missing", async () => {
    await assert.rejects(
      processes.spawn(shell("true", { cwd: "/no/such/folder" })),
      failsWith("not_found"),
    );
  });

  it("keeps a bounded part of the output and reads the rest", async () => {
    const exit = await run(
      shell("head -c 3000000 /dev/zero | tr '\\0' x; printf y >&2", { outputLimit: 1000 }),
    );
    assert.deepEqual([exit.code, exit.stdout, exit.stdoutTruncated], [0, "x".repeat(1000), true]);
    assert.deepEqual([exit.stderr, exit.stderrTruncated], ["y", false]);
  });

  it("does not mind a program that leaves its input unread", async () => {
    const exit = await run(shell("exec true", { stdin: new Uint8Array(5_000_000) }));
    assert.equal(exit.code, 0);
  });

  it("settles though a grandchild keeps the pipes open", async () => {
    const started = performance.now();
    const child = await processes.spawn(shell("echo out; sleep 60 & exit 4"));
    const exit = await child.exited;
    assert.deepEqual([exit.code, exit.stdout], [4, "out\n"]);
    assert.ok(performance.now() - started < 10_000);
    assert.equal(child.kill("SIGKILL"), true);
  });

  it("kill() ends the whole group", async () => {
    const child = await processes.spawn(shell("sleep 60 & echo $!; wait"));
    await until(() => child.kill("SIGTERM"));
    const exit = await child.exited;
    assert.equal(exit.code, null);
    assert.equal(exit.signal, "SIGTERM");
    await until(() => !child.kill("SIGKILL"));
  });

  it("leaks no descriptor", { skip: !hasProc }, async () => {
    const count = () => readdirSync("/proc/self/fd").length;
    await run(shell("true"));
    const before = count();
    for (let index = 0; index < 10; index++) await run(shell("echo x"));
    await until(() => count() <= before);
  });
});

describe("startTime()", () => {
  it("tells processes apart and forgets those that ended", { skip: !hasProc }, async () => {
    const child = await processes.spawn(shell("exec sleep 60"));
    assert.notEqual(child.startTime, null);
    assert.equal(processes.startTime(child.pid), child.startTime);
    child.kill("SIGKILL");
    await child.exited;
    assert.notEqual(processes.startTime(child.pid), child.startTime);
  });

  it("is null for what is no process", () => {
    for (const pid of [0, -1, 1.5, Number.NaN, 2 ** 30]) {
      assert.equal(processes.startTime(pid), null);
    }
  });
});

describe("killGroup()", () => {
  it("signals no group but the one that is meant", () => {
    for (const pid of [0, 1, -1, Number.NaN, 2 ** 30]) {
      assert.equal(processes.killGroup(pid, "SIGTERM"), false);
    }
  });
});
