/**
 * `holon apps` on the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { withDefault } from "@optique/core/modifiers";
import { argument, command, constant, option } from "@optique/core/primitives";
import { choice, string } from "@optique/core/valueparser";
import type { AppsCheckCommand, AppsListCommand, AppsNewCommand } from "../command.ts";
import { pathText } from "./candidates.ts";
import { agent, type CommandParser, common, server } from "./shared.ts";

/** The templates of `holon apps new`. */
const TEMPLATES = ["card", "dashboard", "form", "game", "wasm", "blank"] as const;

/** `holon apps`. */
export const apps: CommandParser<AppsCheckCommand | AppsListCommand | AppsNewCommand> = or(
  command(
    "list",
    object({ command: constant("apps list"), agent, ...server, ...common }),
    { brief: message`List the apps of an agent, with what is wrong with broken ones.` },
  ),
  command(
    "new",
    object({
      command: constant("apps new"),
      name: argument(string({ metavar: "NAME" }), {
        description: message`Id of the app: the name of its folder.`,
      }),
      agent,
      template: withDefault(
        option("--template", choice(TEMPLATES), {
          description: message`What to start from.`,
        }),
        "card",
      ),
      ...common,
    }),
    { brief: message`Make a new app from a template.` },
  ),
  command(
    "check",
    object({
      command: constant("apps check"),
      directory: argument(pathText("DIR|APP", "directory", "apps"), {
        description: message`Folder of the app, or its id or AGENT/APP in the home.`,
      }),
      ...common,
    }),
    { brief: message`Check an app's folder for what would not be served.` },
  ),
);
