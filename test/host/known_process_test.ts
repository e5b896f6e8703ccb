import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { afterEach, beforeEach, describe, it } from "node:test";
import {
  conditionOf,
  type KnownProcess,
  signalProcess,
  thisProcess,
} from "../../src/host/known_process.ts";
import { processStartTime } from "../../src/host/process_identity.ts";
import { until } from "../support/until.ts";

describe("a known process", {
  skip: process.platform === "linux" ? false : "needs Linux's /proc",
}, () => {
  let child: ChildProcess;
  let known: KnownProcess;
  beforeEach(async () => {
    child = spawn("sleep", ["60"], { stdio: "ignore" });
    await new Promise((resolve) => child.once("spawn", resolve));
    known = { pid: child.pid!, startTime: processStartTime(child.pid!) };
  });
  afterEach(() => void child.kill("SIGKILL"));

  it("is running, suspended, running again and gone", async () => {
    assert.equal(conditionOf(known), "running");
    child.kill("SIGSTOP");
    await until(() => conditionOf(known) === "suspended");
    assert.equal(signalProcess(known, "SIGCONT"), "sent");
    await until(() => conditionOf(known) === "running");
    assert.equal(signalProcess(known, "SIGKILL"), "sent");
    await until(() => conditionOf(known) === "gone");
    assert.equal(signalProcess(known, "SIGKILL"), "gone");
  });

  it("is no other process that has its pid", () => {
    const other = { pid: known.pid, startTime: `${known.startTime}0` };
    assert.equal(conditionOf(other), "gone");
    assert.equal(signalProcess(other, "SIGKILL"), "gone");
    assert.equal(conditionOf(known), "running");
    for (const pid of [-1, 0, 1, NaN]) {
      assert.equal(conditionOf({ pid, startTime: null }), "gone");
      assert.equal(signalProcess({ pid, startTime: null }, "SIGTERM"), "gone");
    }
    child.kill("SIGKILL");
  });

  it("may be this one", () => assert.equal(conditionOf(thisProcess()), "running"));
});
