/**
 * `holon serve` on the command line.
 *
 * @module
 */

import { object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import { constant, flag, option } from "@optique/core/primitives";
import { choice } from "@optique/core/valueparser";
import { LOG_CHOICES, type ServeCommand } from "../command.ts";
import { accessOptions } from "./access.ts";
import { type CommandParser, common } from "./shared.ts";

/** `holon serve`. */
export const serve: CommandParser<ServeCommand> = object({
  command: constant("serve"),
  ...accessOptions,
  log: optional(option("--log", choice(LOG_CHOICES), {
    description:
      message`How requests are logged on stderr; else HOLON_LOG, else text on a terminal (what goes wrong) and json elsewhere.`,
  })),
  open: withDefault(
    flag("--open", { description: message`Open the home page in a browser.` }),
    false,
  ),
  ...common,
});
