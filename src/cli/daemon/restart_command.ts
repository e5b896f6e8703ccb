/**
 * `holon daemon restart`.
 *
 * @module
 */

import type { DaemonStartCommand } from "../command.ts";
import { CliFailure, EXIT } from "../failure.ts";
import type { HomePaths } from "../home.ts";
import type { CliIo } from "../io.ts";
import { type GivenOptions, inheritOptions, lacksToken } from "./inherit.ts";
import { type HomeView, probeHome } from "./probe.ts";
import { createProgress, type Progress } from "./progress.ts";
import { type LifecycleReport, printLifecycle, whereItRuns } from "./report.ts";
import { keptOptions } from "./child.ts";
import { madeHome, startReport } from "./start_command.ts";
import { planStart, startServer } from "./start_server.ts";
import type { DaemonRecord } from "./state_files.ts";
import { stopReport } from "./stop_command.ts";
import { stopServer } from "./stop_server.ts";
import { alone, startTimeoutMs, stopTimeoutMs } from "./timing.ts";

/**
 * Stops the home's server and starts it with the options of its last start, but for what is given.
 * Nothing is stopped before the new options were found to be sound.
 */
export async function daemonRestart(command: DaemonStartCommand, io: CliIo): Promise<number> {
  const timeout = startTimeoutMs(io, command.startTimeout);
  stopTimeoutMs(io, command.stopTimeout);
  const paths = await madeHome(io, command.home);
  const progress = createProgress(io, command);
  const report = await alone(
    io,
    paths.home,
    timeout,
    progress,
    () => restart(command, io, paths, timeout, progress),
  ).finally(progress.end);
  return printLifecycle(io, command, report);
}

// --- internal ---

async function restart(
  command: DaemonStartCommand,
  io: CliIo,
  paths: HomePaths,
  timeoutMs: number,
  progress: Progress,
): Promise<LifecycleReport> {
  const record = recordToKeep(await probeHome(io, paths));
  const given: GivenOptions = { ...keptOptions(command), token: command.token };
  const options = record === null ? given : inheritOptions(record.options, given);
  if (record !== null && lacksToken(record, options, io.env)) {
    throw new CliFailure("the token of the last start was given inline, and is kept nowhere", {
      hint: "Give it again: --token-file FILE, or HOLON_CONTROL_TOKEN in the environment.",
      exitCode: EXIT.usage,
    });
  }
  const plan = await planStart(io, options, record?.http_addr_env);
  const stopped = await stopServer(
    io,
    paths,
    stopTimeoutMs(io, command.stopTimeout),
    progress,
    true,
  );
  if (stopped.kind === "failed") return await stopReport(io, paths, "restart", stopped);
  const outcome = await startServer(io, paths, plan, timeoutMs, progress);
  const report = await startReport(io, paths, "restart", outcome);
  return stopped.kind === "stopped" ? { ...report, changed: true } : report;
}

/**
 * What a restart goes by; `null` where there was no daemon.
 *
 * @throws {CliFailure} for a server whose options are not known
 */
function recordToKeep(view: HomeView): DaemonRecord | null {
  const { phase, record, process, answer } = view;
  if (phase === "absent" || phase === "foreign") return record;
  if (record !== null && record.pid === process?.pid) return record;
  // A full disk had no room for the newest record, and an older one says the same.
  const isSame = answer !== null && answer.config_fingerprint === record?.config_fingerprint;
  if (answer?.isDaemon === true && isSame) return record;
  if (phase === "starting") {
    throw new CliFailure("the server is still starting, so its options are not known", {
      hint: "Wait until it is ready, or run `holon daemon stop`.",
    });
  }
  const why = answer?.isDaemon === true
    ? "has left no record of its options in run/daemon.json"
    : "was not started by `holon daemon`, so its options are not known";
  throw new CliFailure(`the server${whereItRuns(view)} ${why}`, {
    hint: answer?.isDaemon === true
      ? "Run `holon daemon stop`, and `start` with the options that you want."
      : "Have it restarted by what started it, or run `holon daemon stop` and `start`.",
  });
}
