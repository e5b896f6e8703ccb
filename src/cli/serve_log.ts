/**
 * The log of `holon serve`, on stderr: a person at a terminal sees what goes wrong, programs get
 * JSON lines.
 *
 * @module
 */

import { createLog, type Log, type LogFormat } from "../observe/logger.ts";
import type { LogChoice } from "./command.ts";
import { CliFailure, EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";

/**
 * Opens the log.
 *
 * @param choice `--log`; else `HOLON_LOG`, else it depends on whether stderr is a terminal
 * @param secrets texts that must not appear in it
 * @throws {CliFailure} for an unknown `HOLON_LOG`
 */
export function openServeLog(
  io: CliIo,
  choice: LogChoice | undefined,
  secrets: readonly string[],
): Log {
  const format = formatOf(io, choice ?? choiceOf(io.env.HOLON_LOG ?? ""));
  return createLog({ format, write: io.writeLog, clock: io.host.clock, secrets });
}

function formatOf({ env, terminal }: CliIo, choice: LogChoice | undefined): LogFormat {
  const kind = choice ?? (terminal.stderr ? "text" : "json");
  if (kind !== "text") return { kind };
  const color = terminal.stderr && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
  return { kind, everything: (env.HOLON_DEBUG ?? "") !== "", color };
}

function choiceOf(value: string): LogChoice | undefined {
  switch (value) {
    case "":
      return undefined;
    case "json":
    case "off":
    case "text":
      return value;
    default:
      throw new CliFailure(`HOLON_LOG has "${value}", which is no way to log`, {
        hint: "Use json, text or off.",
        exitCode: EXIT.usage,
      });
  }
}
