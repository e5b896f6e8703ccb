/**
 * The one gate: format, lint, types, layers, generated files, and every test on every runtime.
 *
 * `npm test`, `deno task ok` and CI all run this; `--help` tells how to run a part of it.
 *
 * @module
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { endJobs, type Job, runJob, runJobs } from "./gate/job.ts";
import { type GateOptions, HELP, readOptions } from "./gate/options.ts";
import { planJobs } from "./gate/plan.ts";
import { closingText, failureText, progressLine, skipText } from "./gate/report.ts";
import { missingTools, ROOT } from "./gate/tools.ts";
import { judge, type Verdict } from "./gate/verdict.ts";

/** Runs the gate; the result is the exit code. */
async function main(args: readonly string[]): Promise<number> {
  let options: GateOptions;
  try {
    options = readOptions(args, process.env);
  } catch (error) {
    console.error((error as Error).message);
    return 2;
  }
  if (options.help) {
    console.log(HELP);
    return 0;
  }
  const missing = missingTools(["node", "bun", "deno", "tsc"]);
  if (missing.length > 0) {
    console.error(`Not installed: ${missing.join(", ")}. Run \`npm ci\` first.`);
    return 1;
  }
  const jobs = planJobs(options);
  if (jobs.length === 0) {
    console.error("No test file matches.");
    return 1;
  }
  return await runAll(jobs, options);
}

async function runAll(jobs: readonly Job[], options: GateOptions): Promise<number> {
  const logs = mkdtempSync(join(tmpdir(), "holon-check-"));
  const logPath = (job: Job) =>
    join(logs, `${job.runtime ?? job.step}-${job.label.replace(/[^a-z0-9_]+/gi, "-")}.log`);
  const env = {
    ...process.env,
    NO_COLOR: "1",
    DENO_NO_UPDATE_CHECK: "1",
    // Node.js compiles 300 TypeScript files for each server that a test starts: once is enough.
    NODE_COMPILE_CACHE: join(ROOT, "node_modules/.cache/gate"),
    ...(options.requireAll ? { HOLON_REQUIRE_ALL: "1" } : {}),
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      endJobs();
      process.exit(130);
    });
  }

  const started = performance.now();
  const verdicts: Verdict[] = [];
  await runJobs(
    jobs,
    options.width,
    (job) => runJob(job, env, logPath(job)),
    (result) => {
      const verdict = judge(result, options.requireAll);
      verdicts.push(verdict);
      console.log(progressLine(verdict));
      if (verdict.failure !== undefined) console.log(failureText(verdict, logPath(result.job)));
    },
  );

  await tryAgain(verdicts, options, env, logPath);

  const failures = verdicts.filter((verdict) => verdict.failure !== undefined);
  const skips = skipText(verdicts);
  if (skips !== "") console.log(skips);
  if (failures.length > 0) {
    console.log("\nFailed:");
    for (const verdict of failures) console.log(progressLine(verdict));
    console.log(`Logs: ${logs}`);
  } else {
    rmSync(logs, { recursive: true });
  }
  console.log(`\n${jobs.length} jobs in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  console.log(closingText(verdicts));
  return failures.length === 0 ? 0 : 1;
}

/** More failures than this are no accident of a busy machine. */
const MAX_SECOND_TRIES = 5;

/**
 * Gives test files that failed a second try with nothing beside them: browsers and runtimes share
 * two cores, and a machine that stalls is no fault of the product. A second try is always named,
 * so that a test which needs one can be mended.
 */
async function tryAgain(
  verdicts: Verdict[],
  options: GateOptions,
  env: NodeJS.ProcessEnv,
  logPath: (job: Job) => string,
): Promise<void> {
  const failed = verdicts.filter(({ failure, result }) =>
    failure !== undefined && result.job.step === "test"
  );
  if (failed.length > MAX_SECOND_TRIES) return;
  for (const first of failed) {
    const { job } = first.result;
    const second = judge(await runJob(job, env, `${logPath(job)}.second`), options.requireAll);
    console.log(`\nSECOND TRY (the first failed: ${first.failure})`);
    console.log(progressLine(second));
    if (second.failure === undefined) verdicts[verdicts.indexOf(first)] = second;
    else console.log(failureText(second, `${logPath(job)}.second`));
  }
}

process.exitCode = await main(process.argv.slice(2));
