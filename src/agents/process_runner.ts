/**
 * Runs a message as a process in the agent's directory.
 *
 * @module
 */

import {
  HostError,
  type HostProcess,
  type HostProcesses,
  type ProcessExit,
} from "../host/types.ts";
import { noOutput } from "./message_result.ts";
import type { Runner, RunnerEvent, RunnerOutcome } from "./runner.ts";
import { runnerEnvironment, runnerInput } from "./runner_message.ts";
import type { MessageResult, RunnerConfig } from "./types.ts";

/** What a process runner works with. */
export interface ProcessRunnerOptions {
  readonly processes: HostProcesses;
  readonly config: RunnerConfig;
  /** The agent's directory. */
  readonly cwd: string;
  /** See `runnerBaseEnvironment()`. */
  readonly environment: Readonly<Record<string, string>>;
  /** From SIGTERM to SIGKILL, in ms. */
  readonly graceMs?: number;
}

/** Bytes of stdout, and of stderr, that are stored with the message. */
export const OUTPUT_LIMIT: number = 64 * 1024;

const GRACE_MS = 2000;

/** Makes a runner that starts the configured command for each message. */
export function createProcessRunner(options: ProcessRunnerOptions): Runner {
  const { processes, config, cwd, environment, graceMs = GRACE_MS } = options;
  return {
    async *start(message, signal): AsyncGenerator<RunnerEvent> {
      let process: HostProcess;
      try {
        signal.throwIfAborted();
        process = await processes.spawn({
          command: config.command,
          cwd,
          env: runnerEnvironment(message, environment),
          stdin: new TextEncoder().encode(runnerInput(message)),
          outputLimit: OUTPUT_LIMIT,
        });
      } catch (error) {
        yield {
          kind: "finished",
          outcome: signal.aborted ? { status: "aborted" } : notStarted(config, error),
        };
        return;
      }
      // Watched from here on, since whoever takes the events may be slow to.
      const outcome = watch(process, config.timeoutSeconds * 1000, graceMs, signal);
      yield { kind: "started", process: { pid: process.pid, startTime: process.startTime } };
      // It is recorded now, so that a crash from here on leaves nobody at work unknown.
      if (!signal.aborted) process.begin();
      yield { kind: "finished", outcome: await outcome };
    },
  };
}

/** Waits for the end, and brings it about when time runs out or the signal aborts. */
async function watch(
  process: HostProcess,
  timeoutMs: number,
  graceMs: number,
  signal: AbortSignal,
): Promise<RunnerOutcome> {
  let timedOut = false;
  let force: ReturnType<typeof setTimeout> | undefined;
  let terminated = false;
  const terminate = () => {
    if (terminated) return;
    terminated = true;
    process.kill("SIGTERM");
    force = setTimeout(() => process.kill("SIGKILL"), graceMs);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    terminate();
  }, timeoutMs);
  signal.addEventListener("abort", terminate, { once: true });
  if (signal.aborted) terminate();
  try {
    const exit = await process.exited;
    // Whatever of the group outlived its leader must not outlive the message.
    if (terminated) process.kill("SIGKILL");
    if (signal.aborted && !timedOut) return { status: "aborted" };
    return outcomeOf(exit, timedOut ? timeoutMs : null);
  } finally {
    clearTimeout(timer);
    clearTimeout(force);
    signal.removeEventListener("abort", terminate);
  }
}

function outcomeOf(exit: ProcessExit, timedOutAfterMs: number | null): RunnerOutcome {
  let error: string | null = null;
  if (timedOutAfterMs !== null) {
    error = `The runner took longer than ${timedOutAfterMs / 1000} s and was ended`;
  } else if (exit.code === null) {
    error = `The runner was ended by ${exit.signal ?? "a signal"}`;
  } else if (exit.code !== 0) {
    error = `The runner exited with code ${exit.code}`;
  }
  const result: MessageResult = {
    exitCode: exit.code,
    error,
    stdout: exit.stdout,
    stderr: exit.stderr,
    truncated: exit.stdoutTruncated || exit.stderrTruncated,
  };
  return { status: error === null ? "succeeded" : "failed", result };
}

function notStarted(config: RunnerConfig, error: unknown): RunnerOutcome {
  const code = error instanceof HostError ? error.code : "io";
  const reason = code === "not_found"
    ? "it was not found"
    : code === "denied"
    ? "it may not be executed"
    : "the system refused";
  const sentence = `The runner's program "${config.command[0]}" could not be started: ${reason}`;
  return { status: "failed", result: noOutput(sentence) };
}
