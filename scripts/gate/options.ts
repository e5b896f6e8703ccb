/**
 * The gate's command line.
 *
 * @module
 */

import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type Selection, type Step, STEPS } from "./plan.ts";
import { type Runtime, RUNTIMES } from "./tools.ts";

/** What `--help` prints. */
export const HELP: string =
  `The one gate: checks the source and runs every test on Node, Bun and Deno.

Usage: npm test -- [options] [part of a test file's path ...]

Options:
  --only <steps>       some of: ${STEPS.join(", ")} (comma-separated)
  --runtime <names>    some of: ${RUNTIMES.join(", ")} (comma-separated)
  --jobs <n>           how many run at a time (default: a core each, and one more)
  --help               this text

A path part alone means --only test. HOLON_REQUIRE_ALL=1 (or CI=true) turns skipped tests into
failures.`;

/** The options of one run. */
export interface GateOptions extends Selection {
  readonly help: boolean;
  readonly width: number;
  /** A skipped test is a failure. */
  readonly requireAll: boolean;
}

/** Reads the arguments; throws an `Error` whose message says what is wrong with them. */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): GateOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      jobs: { type: "string", default: String(availableParallelism() + 1) },
      only: { type: "string" },
      runtime: { type: "string" },
    },
  });
  const width = Number(values.jobs);
  if (!Number.isInteger(width) || width < 1) throw new Error("--jobs needs a number from 1 up.");
  const steps = values.only ?? (positionals.length > 0 ? "test" : undefined);
  return {
    help: values.help,
    width,
    steps: choose<Step>("--only", steps, STEPS),
    runtimes: choose<Runtime>("--runtime", values.runtime, RUNTIMES),
    filters: positionals.map((path) => path.replace(/^\.\//, "")),
    requireAll: env["HOLON_REQUIRE_ALL"] === "1" || env["CI"] === "true",
  };
}

function choose<T extends string>(
  flag: string,
  list: string | undefined,
  all: readonly T[],
): readonly T[] {
  if (list === undefined) return all;
  const names = list.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(all as readonly string[]).includes(name));
  if (unknown !== undefined) {
    throw new Error(`${flag} has no "${unknown}": it takes ${all.join(", ")}.`);
  }
  return all.filter((name) => names.includes(name));
}
