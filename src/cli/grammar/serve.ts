/**
 * `holon serve` on the command line.
 *
 * @module
 */

import { object } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import { constant, flag, option } from "@optique/core/primitives";
import { choice, integer, string } from "@optique/core/valueparser";
import type { ServeCommand } from "../command.ts";
import { type CommandParser, common } from "./shared.ts";

const LOG_CHOICES = ["json", "text", "off"] as const;

/** `holon serve`. */
export const serve: CommandParser<ServeCommand> = object({
  command: constant("serve"),
  listen: optional(option("--listen", string({ metavar: "ADDRESS:PORT" }), {
    description:
      message`Where to listen; else HOLON_HTTP_ADDR, else 127.0.0.1:7878. Other addresses than loopback ones need a token.`,
  })),
  port: optional(option("--port", integer({ min: 0, max: 65_535, metavar: "PORT" }), {
    description: message`Port on 127.0.0.1; 0 takes any free one.`,
  })),
  tokenFile: optional(option("--token-file", string({ metavar: "FILE" }), {
    description: message`File with the token that every request must carry then.`,
  })),
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
