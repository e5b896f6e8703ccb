/**
 * `holon profile` on the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { withDefault } from "@optique/core/modifiers";
import { argument, command, constant, flag, option } from "@optique/core/primitives";
import { string } from "@optique/core/valueparser";
import type { PlainCommand, ProfileAddCommand, ProfileRemoveCommand } from "../command.ts";
import { named, pathText } from "./candidates.ts";
import { type CommandParser, common } from "./shared.ts";

const name = argument(named("NAME", "profiles"), { description: message`Name of the profile.` });

/** `holon profile`. */
export const profile: CommandParser<PlainCommand | ProfileAddCommand | ProfileRemoveCommand> = or(
  command(
    "add",
    object({
      command: constant("profile add"),
      name,
      connect: option("--connect", string({ metavar: "URL" }), {
        description: message`Address of the server; the token goes there alone.`,
      }),
      tokenFile: option("--token-file", pathText("FILE", "file"), {
        description: message`File with the token; it is copied.`,
      }),
      replace: withDefault(
        flag("--replace", { description: message`Take the place of a profile of that name.` }),
        false,
      ),
      ...common,
    }),
    { brief: message`Keep the address and the token of a server under a name.` },
  ),
  command(
    "list",
    object({ command: constant("profile list"), ...common }),
    { brief: message`List the profiles, without their tokens.` },
  ),
  command(
    "remove",
    object({ command: constant("profile remove"), name, ...common }),
    { brief: message`Forget a profile.` },
  ),
);
