/**
 * What commands have in common on the command line.
 *
 * @module
 */

import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import type { Parser } from "@optique/core/parser";
import { flag, option } from "@optique/core/primitives";
import { integer, string } from "@optique/core/valueparser";
import { named, pathText } from "./candidates.ts";

/** A parser of one command, or of a group of commands. */
export type CommandParser<T> = Parser<"sync", T, unknown>;

/** The fields of every command: spread into its `object()`. */
export const common: {
  readonly home: CommandParser<string | undefined>;
  readonly json: CommandParser<boolean>;
  readonly quiet: CommandParser<boolean>;
} = {
  home: optional(option("--home", pathText("DIR", "directory"), {
    description: message`Folder of the home; else HOLON_HOME, else ~/.holon.`,
  })),
  json: withDefault(flag("--json", { description: message`Print JSON.` }), false),
  quiet: withDefault(
    flag("-q", "--quiet", {
      description: message`Print no notes, and of lists the ids alone.`,
    }),
    false,
  ),
};

/** The fields of every command that talks to a server: spread into its `object()`. */
export const server: {
  readonly connect: CommandParser<string | undefined>;
  readonly token: CommandParser<string | undefined>;
  readonly tokenFile: CommandParser<string | undefined>;
  readonly tokenProfile: CommandParser<string | undefined>;
  readonly timeout: CommandParser<number | undefined>;
} = {
  connect: optional(option("--connect", string({ metavar: "URL" }), {
    description:
      message`Server elsewhere, such as http://lab:7878; nothing of this machine's is used then. Needs one of the tokens.`,
  })),
  token: optional(option("--token", string({ metavar: "TOKEN" }), {
    description: message`Token for --connect; other users of this machine may see it.`,
  })),
  tokenFile: optional(option("--token-file", pathText("FILE", "file"), {
    description: message`File with the token for --connect.`,
  })),
  tokenProfile: optional(option("--token-profile", named("NAME", "profiles"), {
    description: message`Profile with the token and its address; see holon profile.`,
  })),
  timeout: optional(option("--timeout", integer({ min: 1, max: 600, metavar: "SECONDS" }), {
    description: message`How long to wait for an answer to begin; else 10, with --connect 6.`,
  })),
};

/** `--agent`. */
export const agent: CommandParser<string | undefined> = optional(
  option("--agent", named("AGENT", "agents"), {
    description: message`Agent that is meant; else the setting agents.default.`,
  }),
);
