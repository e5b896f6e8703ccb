/**
 * `holon config` on the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { argument, command, constant } from "@optique/core/primitives";
import type {
  ConfigKeyCommand,
  ConfigSetCommand,
  PlainCommand,
  PlainServerCommand,
} from "../command.ts";
import { named } from "./candidates.ts";
import { type CommandParser, common, server } from "./shared.ts";

const key = argument(named("KEY", "settings"), {
  description: message`Setting, such as local_apps.max_asset_bytes.`,
});

/** `holon config`. */
export const config: CommandParser<
  ConfigKeyCommand | ConfigSetCommand | PlainCommand | PlainServerCommand
> = or(
  command(
    "get",
    object({ command: constant("config get"), key, ...server, ...common }),
    { brief: message`Print a setting as JSON.` },
  ),
  command(
    "set",
    object({
      command: constant("config set"),
      key,
      value: argument(named("VALUE", "values"), {
        description: message`New value; lists as a JSON array or with commas.`,
      }),
      ...server,
      ...common,
    }),
    { brief: message`Change a setting.` },
  ),
  command(
    "unset",
    object({ command: constant("config unset"), key, ...server, ...common }),
    { brief: message`Put a setting back to its default.` },
  ),
  command(
    "list",
    object({ command: constant("config list"), ...server, ...common }),
    { brief: message`List all settings.` },
  ),
  command(
    "schema",
    object({ command: constant("config schema"), ...common }),
    { brief: message`Print the JSON Schema of config.json.` },
  ),
);
