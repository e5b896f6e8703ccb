/**
 * `holon daemon start`.
 *
 * @module
 */

import { HostError } from "../../host/types.ts";
import type { DaemonStartCommand } from "../command.ts";
import { CliFailure, hostErrorWords } from "../failure.ts";
import { type HomePaths, homePaths } from "../home.ts";
import type { CliIo } from "../io.ts";
import { createProgress } from "./progress.ts";
import { type LifecycleReport, printLifecycle, reportStatus, whereItRuns } from "./report.ts";
import { planStart, type StartOutcome, startServer } from "./start_server.ts";
import { noteFailure } from "./state_files.ts";
import { alone, startTimeoutMs } from "./timing.ts";

/** Starts the home's server in the background; one that runs by the same options is fine too. */
export async function daemonStart(command: DaemonStartCommand, io: CliIo): Promise<number> {
  const timeout = startTimeoutMs(io, command.startTimeout);
  const plan = await planStart(io, command);
  const paths = await madeHome(io, command.home);
  const progress = createProgress(io, command);
  const report = await alone(io, paths.home, timeout, progress, async () => {
    const outcome = await startServer(io, paths, plan, timeout, progress);
    return await startReport(io, paths, "start", outcome);
  }).finally(progress.end);
  return printLifecycle(io, command, report);
}

/**
 * The paths of a home in which files can be put, made where it is missing: the server fills it.
 *
 * @throws {CliFailure} when it can't be made
 */
export async function madeHome(io: CliIo, flag: string | undefined): Promise<HomePaths> {
  const wanted = await homePaths(io, flag);
  try {
    await io.host.files.makeDirectory(wanted.home, 0o700);
    const paths = await homePaths(io, wanted.home);
    await io.host.files.makeDirectory(paths.run, 0o700);
    return paths;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new CliFailure(`the home ${wanted.home} can't be used: ${hostErrorWords(error)}`, {
      hint: "Make sure that you may write to it, or give --home DIR.",
      cause: error,
    });
  }
}

/** Tells of a start. */
export async function startReport(
  io: CliIo,
  paths: HomePaths,
  action: "restart" | "start",
  outcome: StartOutcome,
): Promise<LifecycleReport> {
  if (outcome.kind === "failed") {
    const message = `the server could not start: ${outcome.message}`;
    await noteFailure(io.host.files, paths.run, {
      phase: "startup",
      at: new Date(io.host.clock.now()).toISOString(),
      message,
      pid: outcome.pid,
    });
    const status = await reportStatus(io, paths);
    return { ...status, action, ok: false, changed: false, message };
  }
  const status = await reportStatus(io, paths, outcome.view);
  const where = whereItRuns(outcome.view);
  switch (outcome.kind) {
    case "started":
      return { ...status, action, ok: true, changed: true, message: `Holon runs now${where}` };
    case "running":
      return {
        ...status,
        action,
        ok: true,
        changed: false,
        message: `Holon is already running${where}`,
      };
    case "differs":
      return {
        ...status,
        action,
        ok: false,
        changed: false,
        differences: outcome.differences,
        message: `Holon is already running${where}, by other options: ` +
          outcome.differences.map(({ field }) => field).join(", "),
        hint: "Run `holon daemon restart` with the options that you want.",
      };
    case "slow":
      return {
        ...status,
        action,
        ok: false,
        changed: true,
        message: `Holon${where} lives, and is not ready yet: it goes on starting`,
        hint: "See `holon daemon status` and `holon daemon logs`; --start-timeout waits longer.",
      };
    case "blocked":
      return { ...status, action, ok: false, changed: false };
  }
}
