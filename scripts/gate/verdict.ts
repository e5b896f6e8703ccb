/**
 * What a job's result means: passed, or why not.
 *
 * @module
 */

import type { JobResult } from "./job.ts";
import { NO_TESTS, readSkips, readTally, type Tally } from "./tally.ts";

/** The judgement of one job. */
export interface Verdict {
  readonly result: JobResult;
  readonly tally: Tally;
  /** The names of skipped tests, with reasons where known. */
  readonly skips: readonly string[];
  /** Why it is a failure, as a sentence; `undefined` if it passed. */
  readonly failure: string | undefined;
}

/** Judges a job by its exit code and, for tests, by what its runner counted. */
export function judge(result: JobResult, requireAll: boolean): Verdict {
  const { job, output } = result;
  const ended = endFailure(result);
  if (job.runtime === undefined) {
    const tally = ended === undefined ? { ...NO_TESTS, passed: 1 } : { ...NO_TESTS, failed: 1 };
    return { result, tally, skips: [], failure: ended };
  }
  const skips = readSkips(job.runtime, output);
  const told = readTally(job.runtime, output) ?? NO_TESTS;
  // Node names a skipped suite, but counts neither it nor the tests in it.
  const counted = { ...told, skipped: Math.max(told.skipped, skips.length) };
  const failure = ended ?? countFailure(counted, requireAll);
  // A process that breaks off, or finds no test, is one failure even if no test says so.
  const failed = failure === undefined ? 0 : Math.max(counted.failed, 1);
  return { result, tally: { ...counted, failed }, skips, failure };
}

function endFailure({ code, timedOut, job }: JobResult): string | undefined {
  if (timedOut) return `ended after its limit of ${job.limit / 1000} s: something is still open`;
  if (code === undefined) return "broke off";
  return code === 0 ? undefined : `exit code ${code}`;
}

function countFailure(tally: Tally, requireAll: boolean): string | undefined {
  if (tally.failed > 0) return "failed tests, in spite of exit code 0";
  if (tally.passed + tally.skipped === 0) return "no test was found in it";
  if (requireAll && tally.skipped > 0) return "skipped tests, where nothing may be skipped";
  return undefined;
}
