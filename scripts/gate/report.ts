/**
 * What the gate prints: a line a job, the output of failures only, and the closing counts.
 *
 * @module
 */

import { addTallies, type Tally } from "./tally.ts";
import type { Verdict } from "./verdict.ts";

/** The end of a failed job's output that is shown; all of it is in the log. */
const SHOWN_LINES = 120;

/** One progress line: outcome, runtime, label, tests, seconds. */
export function progressLine(verdict: Verdict): string {
  const { result: { job, elapsed }, tally, failure } = verdict;
  const outcome = failure === undefined ? "ok  " : "FAIL";
  const what = job.runtime ?? job.step;
  const tests = job.runtime === undefined ? "" : `${tally.passed + tally.failed} tests`;
  const skipped = tally.skipped === 0 ? "" : `, ${tally.skipped} skipped`;
  const seconds = `${(elapsed / 1000).toFixed(1)} s`;
  return `${outcome}  ${what.padEnd(6)}  ${job.label.padEnd(48)} ${(tests + skipped).padEnd(10)}` +
    ` ${seconds.padStart(7)}${failure === undefined ? "" : `  (${failure})`}`;
}

/** The end of a failed job's output, and where all of it is. */
export function failureText({ result: { job, output }, failure }: Verdict, log: string): string {
  const lines = output.trimEnd().split("\n");
  const cut = lines.length > SHOWN_LINES ? `[… the whole output is in ${log}]\n` : "";
  return `\n--- ${job.runtime ?? job.step}: ${job.label}: ${failure}\n${cut}${
    lines.slice(-SHOWN_LINES).join("\n")
  }\n--- log: ${log}\n`;
}

/** What was skipped, each test once with the reason that some runner told. */
export function skipText(verdicts: readonly Verdict[]): string {
  const lines = new Set<string>();
  for (const { result, skips } of verdicts) {
    for (const skip of skips) lines.add(`  ${result.job.label}: ${skip}`);
  }
  if (lines.size === 0) return "";
  return `\nSkipped:\n${[...lines].sort().join("\n")}\n`;
}

/** A line for each runtime, then the plain closing line. */
export function closingText(verdicts: readonly Verdict[]): string {
  const groups = new Map<string, Tally[]>();
  for (const { result, tally } of verdicts) {
    const name = result.job.runtime ?? "checks";
    groups.set(name, [...(groups.get(name) ?? []), tally]);
  }
  const lines = [...groups].map(([name, tallies]) => `${name}: ${counts(addTallies(tallies))}`);
  return `\n${lines.join("\n")}\n\n${counts(addTallies(verdicts.map((it) => it.tally)))}`;
}

function counts({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`;
}
