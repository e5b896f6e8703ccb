/**
 * `holon daemon status`.
 *
 * @module
 */

import { VERSION } from "../../version.ts";
import type { PlainCommand } from "../command.ts";
import { EXIT } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { paintFor, printable, printJson } from "../output.ts";
import { readableHome } from "./readable_home.ts";
import { reportStatus, type StatusReport } from "./report.ts";

/** Tells how the home's server is; exits with 0 when it runs and is healthy, else with 1. */
export async function daemonStatus(command: PlainCommand, io: CliIo): Promise<number> {
  const { paths } = await readableHome(io, command.home);
  const report = await reportStatus(io, paths);
  if (command.json) printJson(io, report);
  else if (!command.quiet) printStatus(io, report);
  return report.ok ? EXIT.ok : EXIT.failed;
}

function printStatus(io: CliIo, report: StatusReport): void {
  const { dim, green, red, yellow } = paintFor(io);
  const paint = report.ok ? green : report.state === "running" ? yellow : red;
  const state = report.phase === "ready" ? "running" : PHASES[report.phase] ?? report.state;
  const failure = report.last_failure;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["since", report.started_at],
    ["version", report.version === VERSION ? undefined : otherVersion(report.version)],
    ["home", report.home_dir],
    ["log", report.log_path],
    ["failure", failure && `${failure.at === null ? "" : `${failure.at} `}${failure.message}`],
    ["left", report.stale_files?.join(" ")],
  ];
  io.out(`${paint(state)}: ${printable(report.message)}\n`);
  for (const [name, value] of rows) {
    if (value !== undefined) io.out(`  ${dim(name.padEnd(8))} ${printable(value)}\n`);
  }
}

function otherVersion(version: string | undefined): string | undefined {
  if (version === undefined) return undefined;
  return `${version}; this program is ${VERSION}: \`holon daemon restart\` runs that`;
}

/** Words of their own; the rest is said by the state. */
const PHASES: Partial<Record<StatusReport["phase"], string>> = {
  starting: "starting",
  suspended: "halted",
  unresponsive: "stuck",
};
