/**
 * What commands have in common on the command line.
 *
 * @module
 */

import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import type { Parser } from "@optique/core/parser";
import { flag, option } from "@optique/core/primitives";
import { string } from "@optique/core/valueparser";

/** A parser of one command, or of a group of commands. */
export type CommandParser<T> = Parser<"sync", T, unknown>;

/** The fields of every command: spread into its `object()`. */
export const common: {
  readonly home: CommandParser<string | undefined>;
  readonly json: CommandParser<boolean>;
} = {
  home: optional(option("--home", string({ metavar: "DIR" }), {
    description: message`Folder of the home; else HOLON_HOME, else ~/.holon.`,
  })),
  json: withDefault(flag("--json", { description: message`Print JSON.` }), false),
};

/** `--agent`. */
export const agent: CommandParser<string | undefined> = optional(
  option("--agent", string({ metavar: "AGENT" }), {
    description: message`Agent that is meant; else the setting agents.default.`,
  }),
);
