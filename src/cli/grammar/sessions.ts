/**
 * `holon sessions` on the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import { argument, command, constant, flag } from "@optique/core/primitives";
import { string } from "@optique/core/valueparser";
import type { SessionsListCommand, SessionsRevokeCommand } from "../command.ts";
import { type CommandParser, common, server } from "./shared.ts";

/** `holon sessions`. */
export const sessions: CommandParser<SessionsListCommand | SessionsRevokeCommand> = or(
  command(
    "list",
    object({ command: constant("sessions list"), ...server, ...common }),
    { brief: message`List the browsers that are signed in.` },
  ),
  command(
    "revoke",
    object({
      command: constant("sessions revoke"),
      id: optional(argument(string({ metavar: "SESSION" }), {
        description: message`Id of the session, or its beginning.`,
      })),
      all: withDefault(flag("--all", { description: message`End all of them.` }), false),
      ...server,
      ...common,
    }),
    { brief: message`Sign a browser out.` },
  ),
);
