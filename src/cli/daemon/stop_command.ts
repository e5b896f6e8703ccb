/**
 * `holon daemon stop`.
 *
 * @module
 */

import type { DaemonStopCommand } from "../command.ts";
import type { HomePaths } from "../home.ts";
import type { CliIo } from "../io.ts";
import { createProgress } from "./progress.ts";
import { readableHome } from "./readable_home.ts";
import { type LifecycleReport, printLifecycle, reportStatus } from "./report.ts";
import { forgetFailures, noteFailure } from "./state_files.ts";
import { type StopOutcome, stopServer } from "./stop_server.ts";
import { alone, startTimeoutMs, stopTimeoutMs } from "./timing.ts";

/** Stops the home's server; none that runs is fine too. */
export async function daemonStop(command: DaemonStopCommand, io: CliIo): Promise<number> {
  const step = stopTimeoutMs(io, command.stopTimeout);
  const { paths, hasRun } = await readableHome(io, command.home);
  if (!hasRun) {
    const report = await stopReport(io, paths, "stop", null);
    return printLifecycle(io, command, report);
  }
  const progress = createProgress(io, command);
  const report = await alone(io, paths.home, startTimeoutMs(io, undefined), progress, async () => {
    const outcome = await stopServer(io, paths, step, progress);
    return await stopReport(io, paths, "stop", outcome);
  }).finally(progress.end);
  return printLifecycle(io, command, report);
}

/** Tells of a stop. */
export async function stopReport(
  io: CliIo,
  paths: HomePaths,
  action: "restart" | "stop",
  outcome: StopOutcome | null,
): Promise<LifecycleReport> {
  if (outcome?.kind === "failed") {
    const { message, view } = outcome;
    await noteFailure(io.host.files, paths.run, {
      phase: "shutdown",
      at: new Date(io.host.clock.now()).toISOString(),
      message,
      pid: view.process?.pid ?? null,
    });
    const status = await reportStatus(io, paths);
    return { ...status, action, ok: false, changed: false, message };
  }
  if (outcome !== null) await forgetFailures(io.host.files, paths.run);
  const status = await reportStatus(io, paths);
  if (outcome?.kind === "stopped") {
    const how = outcome.how === "shutdown" ? "" : `, by ${outcome.how}`;
    const message = `Holon (pid ${outcome.pid}) has ended${how}`;
    return { ...status, action, ok: true, changed: true, message };
  }
  return { ...status, action, ok: true, changed: false };
}
