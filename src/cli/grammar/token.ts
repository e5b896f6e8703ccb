/**
 * `holon token` on the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import { argument, command, constant, option } from "@optique/core/primitives";
import { choice, string } from "@optique/core/valueparser";
import type {
  TokenCreateCommand,
  TokenListCommand,
  TokenRevokeCommand,
  TokenRotateCommand,
} from "../command.ts";
import { type CommandParser, common, server } from "./shared.ts";

const SCOPES = ["read", "app", "control"] as const;

const name = argument(string({ metavar: "NAME" }), { description: message`Name of the token.` });

const expires = optional(option("--expires", string({ metavar: "TIME" }), {
  description: message`How long it is good, such as 30d, 12h or 90m; or never.`,
}));

/** `holon token`. */
export const token: CommandParser<
  TokenCreateCommand | TokenListCommand | TokenRevokeCommand | TokenRotateCommand
> = or(
  command(
    "create",
    object({
      command: constant("token create"),
      name,
      scope: withDefault(
        option("--scope", choice(SCOPES), {
          description: message`What it may do: read (look), app (also use apps) or control (all).`,
        }),
        "read" as const,
      ),
      expires,
      ...server,
      ...common,
    }),
    { brief: message`Make a token and print its secret, once.` },
  ),
  command(
    "list",
    object({ command: constant("token list"), ...server, ...common }),
    { brief: message`List the tokens, without their secrets.` },
  ),
  command(
    "revoke",
    object({ command: constant("token revoke"), name, ...server, ...common }),
    { brief: message`End a token and what it opened.` },
  ),
  command(
    "rotate",
    object({ command: constant("token rotate"), name, expires, ...server, ...common }),
    { brief: message`Give a token another secret; the old one ends at once.` },
  ),
);
