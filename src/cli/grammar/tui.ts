/**
 * `holon tui` on the command line.
 *
 * @module
 */

import { object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import { constant, flag, option } from "@optique/core/primitives";
import { integer } from "@optique/core/valueparser";
import type { TuiCommand } from "../command.ts";
import { type CommandParser, common, server } from "./shared.ts";

/** `holon tui`. */
export const tui: CommandParser<TuiCommand> = object({
  command: constant("tui"),
  noAltScreen: withDefault(
    flag("--no-alt-screen", {
      description: message`Draw on the terminal's own screen, and leave the last picture there.`,
    }),
    false,
  ),
  ...server,
  connectTimeout: optional(
    option("--connect-timeout", integer({ min: 1, max: 600, metavar: "SECONDS" }), {
      description:
        message`How long to wait for a connection; else HOLON_TUI_CONNECT_TIMEOUT, else 5, with --connect 3.`,
    }),
  ),
  ...common,
});
