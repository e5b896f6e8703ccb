/**
 * What the gate runs: the checks of the source, then every test file on every runtime.
 *
 * @module
 */

import { globSync } from "node:fs";
import type { Job } from "./job.ts";
import { ROOT, type Runtime, toolPath } from "./tools.ts";

/** The steps, in the order in which they start. */
export const STEPS = ["fmt", "lint", "types", "layers", "assets", "test"] as const;

/** A step, as `--only` names it. */
export type Step = typeof STEPS[number];

/** Which part of the gate to run. */
export interface Selection {
  readonly steps: readonly Step[];
  readonly runtimes: readonly Runtime[];
  /** Parts of test files' paths; none means all. */
  readonly filters: readonly string[];
}

/** Test folders that drive whole programs: once on Node is enough, whatever is served. */
const ONCE = ["test/browser/", "test/clients/", "test/project/"];

const CHECK_LIMIT = 180_000;
const TEST_LIMIT = 240_000;
const WHOLE_PROGRAM_LIMIT = 480_000;

/** All jobs of a selection. */
export function planJobs(selection: Selection): readonly Job[] {
  const jobs: Job[] = [];
  for (const step of selection.steps) {
    jobs.push(...(step === "test" ? testJobs(selection) : checkJobs(step)));
  }
  return jobs;
}

/** The test files that the filters select, sorted, as paths from the root. */
export function findTests(filters: readonly string[]): readonly string[] {
  return globSync("test/**/*_test.ts", { cwd: ROOT })
    .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)))
    .sort();
}

function checkJobs(step: Exclude<Step, "test">): readonly Job[] {
  const job = (label: string, command: string, ...args: string[]): Job => ({
    step,
    label,
    command,
    args,
    limit: CHECK_LIMIT,
  });
  const deno = toolPath("deno");
  const node = toolPath("node");
  switch (step) {
    case "fmt":
      return [job("deno fmt", deno, "fmt", "--check")];
    case "lint":
      return [job("deno lint", deno, "lint")];
    case "types":
      return [
        job("tsc", toolPath("tsc"), "-p", "."),
        job("tsc with Bun's types", toolPath("tsc"), "-p", "tsconfig.bun.json"),
        job(
          "deno check",
          deno,
          ...["check", "--no-lock", "--node-modules-dir=manual", "mod.ts"],
          "test/types/deno_global.ts",
        ),
      ];
    case "layers":
      return [job("imports, names and sizes", node, "scripts/check_layers.ts")];
    case "assets":
      return [job("generated files", node, "scripts/build_assets.ts", "--check")];
  }
}

function testJobs({ runtimes, filters }: Selection): readonly Job[] {
  const files = findTests(filters);
  const portable = files.filter((path) => !isOnce(path));
  const once = files.filter(isOnce);
  return [
    ...portable.flatMap((path) => runtimes.map((runtime) => testJob(runtime, path))),
    ...(runtimes.includes("node") ? once.map((path) => testJob("node", path)) : []),
  ];
}

function testJob(runtime: Runtime, path: string): Job {
  const once = isOnce(path);
  return {
    step: "test",
    label: path,
    runtime,
    command: toolPath(runtime),
    args: [...testArgs(runtime), `./${path}`],
    limit: once ? WHOLE_PROGRAM_LIMIT : TEST_LIMIT,
    heavy: once,
  };
}

/** Each file is a process of its own, so Node's runner needs no second one around it. */
function testArgs(runtime: Runtime): readonly string[] {
  switch (runtime) {
    case "node":
      return ["--test", "--test-isolation=none", "--test-reporter=spec"];
    case "bun":
      return ["test", "--timeout", "60000"];
    case "deno":
      return ["test", "-A", "--no-check", "--no-lock", "--node-modules-dir=manual"];
  }
}

function isOnce(path: string): boolean {
  return ONCE.some((folder) => path.startsWith(folder));
}
