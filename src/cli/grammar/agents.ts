/**
 * `holon agents` on the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { argument, command, constant } from "@optique/core/primitives";
import { string } from "@optique/core/valueparser";
import type { AgentsCreateCommand, AgentsListCommand } from "../command.ts";
import { type CommandParser, common, server } from "./shared.ts";

/** `holon agents`. */
export const agents: CommandParser<AgentsCreateCommand | AgentsListCommand> = or(
  command(
    "list",
    object({ command: constant("agents list"), ...server, ...common }),
    { brief: message`List the agents.` },
  ),
  command(
    "create",
    object({
      command: constant("agents create"),
      id: argument(string({ metavar: "ID" }), { description: message`Id of the agent.` }),
      ...server,
      ...common,
    }),
    { brief: message`Make a new agent.` },
  ),
);
