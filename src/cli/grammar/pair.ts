/**
 * `holon pair` on the command line.
 *
 * @module
 */

import { object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { withDefault } from "@optique/core/modifiers";
import { constant, option } from "@optique/core/primitives";
import { choice } from "@optique/core/valueparser";
import type { PairCommand } from "../command.ts";
import { type CommandParser, common, server } from "./shared.ts";

/** `holon pair`. */
export const pair: CommandParser<PairCommand> = object({
  command: constant("pair"),
  scope: withDefault(
    option("--scope", choice(["app", "read", "control"] as const), {
      description:
        message`What the device may do: use apps (app), only look (read), or everything (control).`,
    }),
    "app" as const,
  ),
  ...server,
  ...common,
});
