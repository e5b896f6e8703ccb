import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JobResult } from "../../scripts/gate/job.ts";
import { judge } from "../../scripts/gate/verdict.ts";

function result(change: Partial<JobResult> & { check?: boolean }): JobResult {
  return {
    job: {
      step: "test",
      label: "test/a_test.ts",
      ...(change.check ? {} : { runtime: "bun" as const }),
      command: "bun",
      args: [],
      limit: 5000,
    },
    code: 0,
    timedOut: false,
    elapsed: 1,
    output: " 2 pass\n 0 fail\n",
    ...change,
  };
}

describe("judge()", () => {
  it("passes a test file whose runner counted tests and no failure", () => {
    const verdict = judge(result({}), true);
    assert.equal(verdict.failure, undefined);
    assert.deepEqual(verdict.tally, { passed: 2, failed: 0, skipped: 0 });
  });

  it("fails a test file in which no test was found", () => {
    const verdict = judge(result({ output: " 0 pass\n 0 fail\n" }), false);
    assert.match(verdict.failure ?? "", /no test was found/);
    assert.equal(verdict.tally.failed, 1);
  });

  it("fails a runner that broke off without a closing line", () => {
    assert.match(judge(result({ output: "" }), false).failure ?? "", /no test was found/);
  });

  it("fails on failed tests in spite of exit code 0", () => {
    const verdict = judge(result({ output: " 1 pass\n 3 fail\n" }), false);
    assert.match(verdict.failure ?? "", /failed tests/);
    assert.equal(verdict.tally.failed, 3);
  });

  it("fails on a bad exit code in spite of green counts", () => {
    const verdict = judge(result({ code: 7 }), false);
    assert.equal(verdict.failure, "exit code 7");
    assert.equal(verdict.tally.failed, 1);
  });

  it("fails what ran into its limit, and says so", () => {
    const verdict = judge({ ...result({ timedOut: true }), code: undefined }, false);
    assert.match(verdict.failure ?? "", /limit of 5 s/);
  });

  it("fails on a skipped test only where nothing may be skipped", () => {
    const output = " 1 pass\n 1 skip\n 0 fail\n";
    assert.equal(judge(result({ output }), false).failure, undefined);
    assert.match(judge(result({ output }), true).failure ?? "", /skipped/);
  });

  it("counts a suite that Node skips, though its runner does not", () => {
    const output = "﹣ suite (0.1ms) # no browser\nℹ pass 0\nℹ fail 0\nℹ skipped 0\n";
    const { job } = result({});
    const verdict = judge({ ...result({ output }), job: { ...job, runtime: "node" } }, false);
    assert.equal(verdict.failure, undefined);
    assert.equal(verdict.tally.skipped, 1);
  });

  it("counts a check as one", () => {
    assert.deepEqual(judge(result({ check: true }), true).tally.passed, 1);
    assert.deepEqual(judge(result({ check: true, code: 1 }), true).tally.failed, 1);
  });
});
