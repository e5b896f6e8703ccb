/**
 * The options that say how a server is reached, for `serve` and for what starts one.
 *
 * @module
 */

import { message } from "@optique/core/message";
import { optional } from "@optique/core/modifiers";
import { option } from "@optique/core/primitives";
import { choice, integer, string } from "@optique/core/valueparser";
import { ACCESS_MODES, type AccessMode } from "../command.ts";
import { pathText } from "./candidates.ts";
import type { CommandParser } from "./shared.ts";

/** The fields of `AccessOptions`: spread into a command's `object()`. */
export const accessOptions: {
  readonly access: CommandParser<AccessMode | undefined>;
  readonly host: CommandParser<string | undefined>;
  readonly listen: CommandParser<string | undefined>;
  readonly port: CommandParser<number | undefined>;
  readonly advertise: CommandParser<string | undefined>;
  readonly callbackBaseUrl: CommandParser<string | undefined>;
  readonly token: CommandParser<string | undefined>;
  readonly tokenFile: CommandParser<string | undefined>;
} = {
  access: optional(option("--access", choice(ACCESS_MODES, { metavar: "MODE" }), {
    description:
      message`Who is to reach it: this machine (local), others through ssh -L (tunnel), or others by --host on a network (lan, tailnet), which needs a token.`,
  })),
  host: optional(option("--host", string({ metavar: "HOST" }), {
    description:
      message`Name or address by which others reach this machine, with --access lan or tailnet.`,
  })),
  listen: optional(option("--listen", string({ metavar: "ADDRESS:PORT" }), {
    description:
      message`Where to listen; else HOLON_HTTP_ADDR, else 127.0.0.1:7878. Other addresses than loopback ones need a token.`,
  })),
  port: optional(option("--port", integer({ min: 0, max: 65_535, metavar: "PORT" }), {
    description: message`Port to listen on; 0 takes any free one.`,
  })),
  advertise: optional(option("--advertise", string({ metavar: "URL" }), {
    description:
      message`URL that others reach it by, such as a proxy's; its host is answered to. Needs a token.`,
  })),
  callbackBaseUrl: optional(option("--callback-base-url", string({ metavar: "URL" }), {
    description: message`URL for callbacks from outside; else HOLON_CALLBACK_BASE_URL.`,
  })),
  token: optional(option("--token", string({ metavar: "TOKEN" }), {
    description:
      message`The token itself, which other users of this machine can see: prefer a file.`,
  })),
  tokenFile: optional(option("--token-file", pathText("FILE", "file"), {
    description: message`File with the token that every request must carry then.`,
  })),
};
