/**
 * `holon messages` on the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { message } from "@optique/core/message";
import { multiple, optional, withDefault } from "@optique/core/modifiers";
import { argument, command, constant, flag, option } from "@optique/core/primitives";
import { choice, integer, string } from "@optique/core/valueparser";
import type {
  MessagesChangeCommand,
  MessagesListCommand,
  MessagesSendCommand,
  MessagesShowCommand,
} from "../command.ts";
import { named, pathText } from "./candidates.ts";
import { agent, type CommandParser, common, server } from "./shared.ts";

const STATUSES = ["queued", "processing", "succeeded", "failed", "cancelled"] as const;

const id = argument(string({ metavar: "MESSAGE" }), { description: message`Id of the message.` });

const send: CommandParser<MessagesSendCommand> = object({
  command: constant("messages send"),
  to: argument(named("AGENT[/TYPE]", "agents"), {
    description: message`Agent that gets it, and what kind of request it is.`,
  }),
  text: multiple(
    argument(string({ metavar: "TEXT" }), {
      description: message`What it says; its payload is { "text": "…" } then.`,
    }),
  ),
  payload: optional(option("--payload", string({ metavar: "JSON" }), {
    description: message`Payload in place of a text: any JSON value.`,
  })),
  payloadFile: optional(option("--payload-file", pathText("FILE", "file"), {
    description: message`File with the payload, as JSON.`,
  })),
  requestId: optional(option("--request-id", string({ metavar: "ID" }), {
    description: message`Id of your own for the request.`,
  })),
  idempotencyKey: optional(option("--idempotency-key", string({ metavar: "KEY" }), {
    description: message`The same key within a day gives the same message, not a second one.`,
  })),
  wait: withDefault(
    flag("--wait", { description: message`Wait until it is done, and show what came of it.` }),
    false,
  ),
  ...server,
  ...common,
});

/** `holon messages`. */
export const messages: CommandParser<
  MessagesChangeCommand | MessagesListCommand | MessagesSendCommand | MessagesShowCommand
> = or(
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
      ...server,
      ...common,
    }),
    { brief: message`List the newest messages of an agent.` },
  ),
  command(
    "show",
    object({
      command: constant("messages show"),
      id,
      agent,
      ...server,
      ...common,
    }),
    { brief: message`Show a message and what became of it.` },
  ),
  command("send", send, { brief: message`Send a message to an agent, as its operator.` }),
  command(
    "cancel",
    object({ command: constant("messages cancel"), id, agent, ...server, ...common }),
    { brief: message`Cancel a message that waits or is worked on.` },
  ),
  command(
    "retry",
    object({ command: constant("messages retry"), id, agent, ...server, ...common }),
    { brief: message`Send a message that failed or was cancelled once more.` },
  ),
);
