/**
 * What a test runner's output says it has run.
 *
 * Each runtime closes its output in its own way; the gate reads the last such line, so that a file
 * in which no test was found can't pass for a green one.
 *
 * @module
 */

import type { Runtime } from "./tools.ts";

/** How many tests passed, failed and were skipped. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Nothing ran. */
export const NO_TESTS: Tally = { passed: 0, failed: 0, skipped: 0 };

/** Adds up several tallies. */
export function addTallies(tallies: Iterable<Tally>): Tally {
  let sum = NO_TESTS;
  for (const { passed, failed, skipped } of tallies) {
    sum = {
      passed: sum.passed + passed,
      failed: sum.failed + failed,
      skipped: sum.skipped + skipped,
    };
  }
  return sum;
}

/** Reads the closing lines of a runtime's test runner; `undefined` if there are none. */
export function readTally(runtime: Runtime, output: string): Tally | undefined {
  switch (runtime) {
    case "node":
      return readNode(output);
    case "bun":
      return readBun(output);
    case "deno":
      return readDeno(output);
  }
}

/**
 * The names of the tests that were skipped, with the reason where the runner tells it.
 *
 * Only Node's does, so the other two give names alone.
 */
export function readSkips(runtime: Runtime, output: string): readonly string[] {
  switch (runtime) {
    case "node":
      return [...output.matchAll(/^\s*﹣ (.+?) \([\d.]+ms\)(?: # (.+))?$/gm)]
        .map(([, name, reason]) => reason === undefined ? `${name}` : `${name}: ${reason}`);
    case "bun":
      return [...output.matchAll(/^\((?:skip|todo)\) (.+)$/gm)].map(([, name]) => `${name}`);
    case "deno":
      return denoResults(output).filter((result) => result.outcome === "ignored")
        .map((result) => result.name);
  }
}

/** `ℹ pass 3`, `ℹ fail 0`, `ℹ cancelled 0`, `ℹ skipped 0`, `ℹ todo 0`, each on its line. */
function readNode(output: string): Tally | undefined {
  const count = (word: string) => lastNumber(output, new RegExp(`^[ℹ#] ${word} (\\d+)$`, "gm"));
  const passed = count("pass");
  const failed = count("fail");
  if (passed === undefined || failed === undefined) return undefined;
  return {
    passed,
    failed: failed + (count("cancelled") ?? 0),
    skipped: (count("skipped") ?? 0) + (count("todo") ?? 0),
  };
}

/** ` 3 pass`, ` 1 skip`, ` 0 fail`, each on its line. */
function readBun(output: string): Tally | undefined {
  const count = (word: string) => lastNumber(output, new RegExp(`^ *(\\d+) ${word}$`, "gm"));
  const passed = count("pass");
  const failed = count("fail");
  if (passed === undefined || failed === undefined) return undefined;
  return { passed, failed, skipped: (count("skip") ?? 0) + (count("todo") ?? 0) };
}

/**
 * Counts leaves, as the other two runners do: Deno's own totals call a suite a test, and what is in
 * it steps. Its closing line (`ok | 3 passed …`) is still needed: without it the run broke off.
 */
function readDeno(output: string): Tally | undefined {
  const closing = [...output.matchAll(/^(ok|FAILED) \| \d+ passed.*$/gm)].at(-1);
  if (closing === undefined) return undefined;
  const results = denoResults(output);
  const count = (outcome: string) => results.filter((it) => it.outcome === outcome).length;
  const failed = count("FAILED");
  return {
    passed: count("ok"),
    // A hook that throws fails the suite, but none of the tests in it.
    failed: closing[1] === "FAILED" ? Math.max(failed, 1) : failed,
    skipped: count("ignored"),
  };
}

interface DenoResult {
  readonly name: string;
  readonly outcome: string;
}

/** The result lines of tests that have no tests in them: a suite's line follows a deeper one. */
function denoResults(output: string): readonly DenoResult[] {
  const leaves: DenoResult[] = [];
  let previousIndent = 0;
  for (const match of output.matchAll(/^( *)(.+) \.\.\. (ok|FAILED|ignored)\b.*$/gm)) {
    const [, indent = "", name = "", outcome = ""] = match;
    if (previousIndent <= indent.length) leaves.push({ name, outcome });
    previousIndent = indent.length;
  }
  return leaves;
}

function lastNumber(text: string, pattern: RegExp): number | undefined {
  const digits = [...text.matchAll(pattern)].at(-1)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
