/**
 * `holon daemon` on the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import { command, constant, flag, option } from "@optique/core/primitives";
import { choice, float, integer } from "@optique/core/valueparser";
import {
  type DaemonLogsCommand,
  type DaemonStartCommand,
  type DaemonStopCommand,
  LOG_CHOICES,
  type PlainCommand,
} from "../command.ts";
import { accessOptions } from "./access.ts";
import { type CommandParser, common } from "./shared.ts";

const seconds = float({ min: 0.1, max: 86_400, metavar: "SECONDS" });

const startOptions = {
  ...accessOptions,
  log: optional(option("--log", choice(LOG_CHOICES), {
    description: message`How requests are logged in run/daemon.log; else HOLON_LOG, else json.`,
  })),
  startTimeout: optional(option("--start-timeout", seconds, {
    description:
      message`How long to wait until it is ready; else HOLON_DAEMON_START_TIMEOUT_SECS, else 30. A server that needs longer goes on starting.`,
  })),
};

const stopTimeout = optional(option("--stop-timeout", seconds, {
  description:
    message`How long to wait after asking it to end, again after SIGTERM, and after SIGKILL; else HOLON_DAEMON_STOP_TIMEOUT_SECS, else 10.`,
}));

/** `holon daemon`. */
export const daemon: CommandParser<
  DaemonLogsCommand | DaemonStartCommand | DaemonStopCommand | PlainCommand
> = or(
  command(
    "start",
    object({ command: constant("daemon start"), ...startOptions, ...common }),
    { brief: message`Start the server in the background.` },
  ),
  command(
    "stop",
    object({ command: constant("daemon stop"), stopTimeout, ...common }),
    { brief: message`Stop the server.` },
  ),
  command(
    "restart",
    object({ command: constant("daemon restart"), ...startOptions, stopTimeout, ...common }),
    { brief: message`Stop the server and start it with the options it had, or other ones.` },
  ),
  command(
    "status",
    object({ command: constant("daemon status"), ...common }),
    { brief: message`Tell whether the server runs, and how it is.` },
  ),
  command(
    "logs",
    object({
      command: constant("daemon logs"),
      tail: withDefault(
        option("--tail", integer({ min: 0, max: 10_000, metavar: "N" }), {
          description: message`How many of the last lines.`,
        }),
        80,
      ),
      follow: withDefault(
        flag("-f", "--follow", { description: message`Go on with what is added.` }),
        false,
      ),
      ...common,
    }),
    { brief: message`Print the log of the background server.` },
  ),
);
