/**
 * One thing that the gate runs: a command with its limit, and what came of it.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { ROOT, type Runtime } from "./tools.ts";

/** A command of the gate. */
export interface Job {
  /** The step that it belongs to, as `--only` names it. */
  readonly step: string;
  /** What it looks at: a test file, or a few words. */
  readonly label: string;
  /** The runtime whose test runner this is; absent if it runs no tests. */
  readonly runtime?: Runtime;
  readonly command: string;
  readonly args: readonly string[];
  /** How long it may take, in ms. */
  readonly limit: number;
  /** Drives whole programs: no two such jobs run at a time, so that one lane is left for the rest. */
  readonly heavy?: boolean;
}

/** How a job ended. */
export interface JobResult {
  readonly job: Job;
  /** The exit code; `undefined` if the process could not be started or was ended. */
  readonly code: number | undefined;
  readonly timedOut: boolean;
  /** Wall-clock time in ms. */
  readonly elapsed: number;
  /** All that it printed, both streams in the order of arrival. */
  readonly output: string;
}

const running = new Set<number>();

/** Runs a job in a process group of its own and writes all its output to `logPath`. */
export async function runJob(
  job: Job,
  env: NodeJS.ProcessEnv,
  logPath: string,
): Promise<JobResult> {
  const started = performance.now();
  const log = createWriteStream(logPath);
  log.write(`$ ${job.command} ${job.args.join(" ")}\n`);
  const child = spawn(job.command, job.args, {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { pid } = child;
  if (pid !== undefined) running.add(pid);
  const chunks: string[] = [];
  const keep = (chunk: string) => {
    chunks.push(chunk);
    log.write(chunk);
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);

  const limit = new AbortController();
  let timedOut = false;
  const timer = delay(job.limit, undefined, { signal: limit.signal, ref: false }).then(() => {
    timedOut = true;
    endGroup(pid);
  }, () => {});
  const code = await new Promise<number | undefined>((resolve) => {
    child.on("error", (error) => {
      keep(`${error.message}\n`);
      resolve(undefined);
    });
    child.on("close", (code) => resolve(code ?? undefined));
    // A process that a test left running keeps the pipes open: it goes with its group.
    child.on("exit", () => endGroup(pid));
  });
  limit.abort();
  await timer;
  if (pid !== undefined) running.delete(pid);
  await new Promise<void>((resolve) => log.end(resolve));
  return { job, code, timedOut, elapsed: performance.now() - started, output: chunks.join("") };
}

/** Ends all that is running, with what it started. */
export function endJobs(): void {
  for (const pid of running) endGroup(pid);
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // No process of the group is left.
  }
}

/**
 * Runs jobs, `width` at a time, and calls `onResult` for each as it ends. The first lane takes the
 * heavy ones, which mostly wait for what they drive, and helps with the rest when they are done.
 */
export async function runJobs(
  jobs: readonly Job[],
  width: number,
  run: (job: Job) => Promise<JobResult>,
  onResult: (result: JobResult) => void,
): Promise<void> {
  const drain = async (queue: Job[]) => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) onResult(await run(job));
  };
  const heavy = jobs.filter((job) => job.heavy);
  const light = jobs.filter((job) => !job.heavy);
  await Promise.all([
    drain(heavy).then(() => drain(light)),
    ...Array.from({ length: width - 1 }, () => drain(light)),
  ]);
}
