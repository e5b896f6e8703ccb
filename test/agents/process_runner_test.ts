import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createProcessRunner, OUTPUT_LIMIT } from "../../src/agents/process_runner.ts";
import type { RunnerEvent, RunnerOutcome } from "../../src/agents/runner.ts";
import { runnerBaseEnvironment } from "../../src/agents/runner_message.ts";
import { endSurvivor } from "../../src/agents/survivors.ts";
import type { Message } from "../../src/agents/types.ts";
import { createHost } from "../../src/host/current.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

const { processes } = createHost();

const MESSAGE: Message = {
  id: "msg_1",
  agentId: "main",
  origin: "app:ping-card",
  status: "processing",
  requestType: "ping",
  requestId: "r-1",
  payload: { text: "grüß" },
  attempts: 2,
  maxAttempts: 3,
  createdAt: "2026-01-01T00:00:00.000Z",
  startedAt: "2026-01-01T00:00:01.000Z",
  finishedAt: null,
  leaseExpiresAt: null,
  result: null,
  trace: null,
};

const BASE = runnerBaseEnvironment({
  PATH: process.env.PATH,
  HOME: "/home/somebody",
  HOLON_CONTROL_TOKEN: "secret",
  AWS_SECRET_ACCESS_KEY: "secret",
});

describe("createProcessRunner()", () => {
  let directory: TempDirectory;
  beforeEach(() => {
    directory = tempDirectory();
  });
  afterEach(() => directory.remove());

  const inDirectory = (name: string) => join(directory.path, name);

  function run(
    script: string,
    options: { timeoutSeconds?: number; signal?: AbortSignal; message?: Message } = {},
  ): AsyncIterable<RunnerEvent> {
    const runner = createProcessRunner({
      processes,
      config: {
        command: ["/bin/sh", "-c", script],
        timeoutSeconds: options.timeoutSeconds ?? 20,
        concurrency: 1,
      },
      cwd: directory.path,
      environment: BASE,
      graceMs: 300,
    });
    const signal = options.signal ?? new AbortController().signal;
    return runner.start(options.message ?? MESSAGE, signal);
  }

  async function outcomeOf(events: AsyncIterable<RunnerEvent>): Promise<RunnerOutcome> {
    let outcome: RunnerOutcome | undefined;
    for await (const event of events) if (event.kind === "finished") outcome = event.outcome;
    assert(outcome !== undefined);
    return outcome;
  }

  async function resultOf(events: AsyncIterable<RunnerEvent>) {
    const outcome = await outcomeOf(events);
    assert(outcome.status !== "aborted");
    return { ...outcome.result, status: outcome.status };
  }

  const until = async (condition: () => boolean) => {
    while (!condition()) await sleep(5);
  };

  /** The pid that a script wrote into a file. */
  async function pidIn(name: string): Promise<number> {
    await until(() => existsSync(inDirectory(name)) && readFileSync(inDirectory(name)).length > 1);
    return Number(readFileSync(inDirectory(name), "utf8"));
  }

  const isAlive = (pid: number) => existsSync(`/proc/${pid}`) && processes.startTime(pid) !== null;

  it("gives the message on stdin and runs in the agent's directory", async () => {
    const result = await resultOf(run("cat; pwd >&2"));
    assert.equal(result.status, "succeeded");
    assert.deepEqual([result.exitCode, result.error, result.truncated], [0, null, false]);
    assert.equal(result.stderr.trim(), directory.path);
    assert.deepEqual(JSON.parse(result.stdout), {
      version: "1",
      message_id: "msg_1",
      agent_id: "main",
      origin: "app:ping-card",
      source: "app:ping-card",
      provenance: { kind: "app", app_id: "ping-card", authority: "data" },
      request_type: "ping",
      request_id: "r-1",
      payload: { text: "grüß" },
      attempt: 2,
      max_attempts: 3,
      created_at: "2026-01-01T00:00:00.000Z",
      traceparent: null,
      tracestate: null,
    });
  });

  it("hands over ids and nothing else of ours in the environment", async () => {
    const { stdout } = await resultOf(run("/usr/bin/env"));
    const names = stdout.trim().split("\n").map((line) => line.split("=")[0]).sort();
    const own = names.filter((name) => !["PWD", "SHLVL", "_", "OLDPWD"].includes(name ?? ""));
    assert.deepEqual(own, [
      "HOLON_AGENT_ID",
      "HOLON_ATTEMPT",
      "HOLON_MESSAGE_ID",
      "HOLON_ORIGIN",
      "HOLON_REQUEST_ID",
      "HOME",
      "PATH",
    ]);
    assert(stdout.includes("HOLON_ORIGIN=app:ping-card\n"));
    assert(!stdout.includes("secret"));
    const odd = { ...MESSAGE, requestId: "a\u0000b\nPATH=/tmp" };
    const other = await resultOf(run("/usr/bin/env", { message: odd }));
    assert(!other.stdout.includes("HOLON_REQUEST_ID"));
  });

  it("hands the trace over, on stdin and in the environment", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const message = { ...MESSAGE, trace: { traceparent, tracestate: "a=1" } };
    const { stdout } = await resultOf(run("cat; /usr/bin/env", { message }));
    const [input = "", ...lines] = stdout.trim().split("\n");
    assert.equal(JSON.parse(input).traceparent, traceparent);
    assert.equal(JSON.parse(input).tracestate, "a=1");
    assert.ok(lines.includes(`TRACEPARENT=${traceparent}`));
    assert.ok(lines.includes("TRACESTATE=a=1"));
    const without = { ...MESSAGE, trace: { traceparent, tracestate: null } };
    const other = await resultOf(run("/usr/bin/env", { message: without }));
    assert.doesNotMatch(other.stdout, /TRACESTATE/);
  });

  it("fails on another exit code, and on a signal", async () => {
    const failed = await resultOf(run("echo oops >&2; exit 7"));
    assert.deepEqual([failed.status, failed.exitCode, failed.stderr], ["failed", 7, "oops\n"]);
    assert.match(failed.error ?? "", /code 7/);
    const killed = await resultOf(run("kill -9 $$"));
    assert.deepEqual([killed.status, killed.exitCode], ["failed", null]);
    assert.match(killed.error ?? "", /SIGKILL/);
  });

  it("keeps a bounded part of the output and reads the rest", async () => {
    const result = await resultOf(run("head -c 5000000 /dev/zero | tr '\\0' x; echo end >&2"));
    assert.equal(result.status, "succeeded");
    assert.equal(result.stdout.length, OUTPUT_LIMIT);
    assert.deepEqual([result.stderr, result.truncated], ["end\n", true]);
  });

  it("succeeds though the program reads none of a large message", async () => {
    const message = { ...MESSAGE, payload: "x".repeat(900_000) };
    assert.equal((await outcomeOf(run("exit 0", { message }))).status, "succeeded");
  });

  it("says why a program could not be started", async () => {
    const start = (program: string) =>
      resultOf(
        createProcessRunner({
          processes,
          config: { command: [program], timeoutSeconds: 5, concurrency: 1 },
          cwd: directory.path,
          environment: BASE,
        }).start(MESSAGE, new AbortController().signal),
      );
    const missing = await start("no-such-program-here");
    assert.equal(missing.status, "failed");
    assert.match(
      missing.error ?? "",
      /"no-such-program-here" could not be started: it was not found/,
    );
    writeFileSync(inDirectory("plain"), "not a program");
    chmodSync(inDirectory("plain"), 0o600);
    assert.match((await start("./plain")).error ?? "", /could not be started/);
  });

  it("ends the whole group when time runs out, grandchildren that ignore SIGTERM included", async () => {
    const script = `
      /bin/sh -c 'trap "" TERM; echo $$ > grandchild; while :; do sleep 1; done' &
      echo $$ > child; trap "" TERM; wait`;
    const events = run(script, { timeoutSeconds: 1 });
    const [result, child, grandchild] = await Promise.all([
      resultOf(events),
      pidIn("child"),
      pidIn("grandchild"),
    ]);
    assert.equal(result.status, "failed");
    assert.match(result.error ?? "", /longer than 1 s/);
    await until(() => !isAlive(child) && !isAlive(grandchild));
  });

  it("ends a grandchild that outlives a leader which heeds SIGTERM", async () => {
    const script = `
      /bin/sh -c 'trap "" TERM; echo $$ > grandchild; while :; do sleep 1; done' > /dev/null 2>&1 &
      sleep 60`;
    const leave = new AbortController();
    const outcome = outcomeOf(run(script, { signal: leave.signal }));
    const grandchild = await pidIn("grandchild");
    leave.abort();
    assert.equal((await outcome).status, "aborted");
    await until(() => !isAlive(grandchild));
  });

  it("is aborted before it starts when the signal was", async () => {
    const events = run("touch started", { signal: AbortSignal.abort() });
    assert.equal((await outcomeOf(events)).status, "aborted");
    assert.equal(existsSync(inDirectory("started")), false);
  });

  describe("endSurvivor()", { skip: existsSync("/proc/self/stat") ? false : "needs /proc" }, () => {
    const spawn = (script: string) =>
      processes.spawn({
        command: ["/bin/sh", "-c", script],
        cwd: directory.path,
        env: BASE,
        stdin: new Uint8Array(),
        outputLimit: 1000,
      });

    it("ends a process of an earlier run with its group", async () => {
      const survivor = await spawn(`
        /bin/sh -c 'trap "" TERM; echo $$ > grandchild; while :; do sleep 1; done' &
        trap "" TERM; echo ready > ready; while :; do sleep 1; done`);
      const grandchild = await pidIn("grandchild");
      await pidIn("ready").catch(() => {});
      const { pid, startTime } = survivor;
      assert.equal(await endSurvivor(processes, { pid, startTime }, { graceMs: 100 }), true);
      await until(() => !isAlive(grandchild));
      assert.equal((await survivor.exited).signal, "SIGKILL");
    });

    it("signals no process whose start time differs or can't be told", async () => {
      const stranger = await spawn("exec sleep 60");
      for (const startTime of ["other", null]) {
        assert.equal(await endSurvivor(processes, { pid: stranger.pid, startTime }), false);
      }
      for (const pid of [0, 1, -1]) {
        assert.equal(await endSurvivor(processes, { pid, startTime: "other" }), false);
      }
      assert(isAlive(stranger.pid));
      stranger.kill("SIGKILL");
      await stranger.exited;
      const { pid, startTime } = stranger;
      assert.equal(await endSurvivor(processes, { pid, startTime }), false);
    });
  });
});
