import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { CliFailure, reportFailure } from "../../src/cli/failure.ts";
import { Fault } from "../../src/fault.ts";
import { HostError } from "../../src/host/types.ts";
import { HomeError } from "../../src/store/home_error.ts";

describe("reportFailure()", () => {
  it("prints a sentence and what to do, and no stack", () => {
    const report = reportFailure(new CliFailure("it broke", { hint: "Mend it." }), false);
    assert.deepEqual(report, { text: "holon: it broke\n  Mend it.\n", exitCode: 1 });
    const usage = reportFailure(new CliFailure("what", { exitCode: 2 }), false);
    assert.deepEqual(usage, { text: "holon: what\n", exitCode: 2 });
    const fault = reportFailure(new Fault("not_found", "No such app", { hint: "Look." }), false);
    assert.equal(fault.text, "holon: No such app\n  Look.\n");
  });

  it("keeps what steers a terminal out of its sentences", () => {
    const failure = new CliFailure("no \u001b[31mfile\u0007", { hint: "Mend \u009b2J." });
    const { text } = reportFailure(failure, false);
    assert.equal(text, "holon: no \ufffd[31mfile\ufffd\n  Mend \ufffd2J.\n");
  });

  it("says in words what the system refused", () => {
    const { text } = reportFailure(new HostError("no_space", "Writing /a failed"), false);
    assert.equal(text, "holon: a file could not be used: the disk is full (Writing /a failed)\n");
  });

  it("names a full disk behind an error of the home, once", () => {
    const full = new Error("database or disk is full");
    const words = (message: string, cause?: Error) =>
      reportFailure(new HomeError("home_unusable", message, cause), false).text;
    assert.equal(words("The lock is bad", full), "holon: The lock is bad (the disk is full)\n");
    assert.equal(words("Not now: the disk is full", full), "holon: Not now: the disk is full\n");
    assert.equal(words("In use"), "holon: In use\n");
  });

  it("adds stacks, causes included, for debugging only", () => {
    const error = new Error("outer", { cause: new Error("inner") });
    assert.doesNotMatch(reportFailure(error, false).text, /inner|\n\s+at /);
    assert.match(reportFailure(error, false).text, /HOLON_DEBUG=1/);
    assert.match(reportFailure(error, true).text, /caused by Error: inner/);
  });
});
