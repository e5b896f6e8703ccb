/**
 * `holon messages` on the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import { argument, command, constant, option } from "@optique/core/primitives";
import { choice, integer, string } from "@optique/core/valueparser";
import type { MessagesListCommand, MessagesShowCommand } from "../command.ts";
import { agent, type CommandParser, common } from "./shared.ts";

const STATUSES = ["queued", "processing", "succeeded", "failed", "cancelled"] as const;

/** `holon messages`. */
export const messages: CommandParser<MessagesListCommand | MessagesShowCommand> = or(
  command(
    "list",
    object({
      command: constant("messages list"),
      agent,
      status: optional(option("--status", choice(STATUSES), {
        description: message`Only those with this status.`,
      })),
      limit: withDefault(
        option("--limit", integer({ min: 1, max: 200, metavar: "N" }), {
          description: message`At most so many, the newest first.`,
        }),
        20,
      ),
      ...common,
    }),
    { brief: message`List the newest messages of an agent.` },
  ),
  command(
    "show",
    object({
      command: constant("messages show"),
      id: argument(string({ metavar: "MESSAGE" }), { description: message`Id of the message.` }),
      agent,
      ...common,
    }),
    { brief: message`Show a message and what became of it.` },
  ),
);
