/**
 * `holon daemon logs`.
 *
 * @module
 */

import { join } from "node:path";
import type { DaemonLogsCommand } from "../command.ts";
import { CliFailure, EXIT } from "../failure.ts";
import type { CliIo } from "../io.ts";
import { paintFor, printableLines, printJson } from "../output.ts";
import { listenToStop } from "../stop_request.ts";
import { followLines } from "./follow_lines.ts";
import { logText } from "./log_text.ts";
import { readableHome } from "./readable_home.ts";
import { STATE } from "./state_files.ts";
import { lastLines } from "./tail.ts";

/**
 * Prints the last lines of the log, and what the program wrote outside of it; `--follow` goes on
 * until it is told to stop. A person reads sentences; with `--json` the lines are as the log has
 * them, in one object, or by themselves with `--follow`.
 *
 * @throws {CliFailure} when there is no log yet
 */
export async function daemonLogs(command: DaemonLogsCommand, io: CliIo): Promise<number> {
  const { paths } = await readableHome(io, command.home);
  const path = join(paths.run, STATE.log);
  const { tail, follow } = command;
  const log = await lastLines([path, `${path}.1`], tail);
  const besides = await lastLines([join(paths.run, STATE.stderr)], tail);
  if (log === null && besides === null && !follow) {
    throw new CliFailure(`there is no log: no daemon has run on ${paths.home} yet`, {
      hint: "`holon daemon start` starts one; `holon serve` logs on its terminal.",
    });
  }
  const lines = [...log?.lines ?? [], ...besides?.lines ?? []];
  if (command.json && !follow) {
    printJson(io, { ok: true, action: "logs", home_dir: paths.home, log_path: path, lines });
    return EXIT.ok;
  }
  const paint = paintFor(io);
  const print = (line: string) =>
    io.out(`${command.json ? printableLines(line) : logText(line, paint)}\n`);
  lines.forEach(print);
  if (!follow) return EXIT.ok;
  const stopping = listenToStop(io);
  try {
    await followLines(path, log?.position ?? null, print, stopping.requested);
  } finally {
    stopping.dispose();
  }
  return EXIT.ok;
}
