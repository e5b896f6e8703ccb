/**
 * `holon messages cancel | retry`.
 *
 * @module
 */

import { textOf } from "./client/fields.ts";
import { openServer } from "./client/server.ts";
import type { MessagesChangeCommand } from "./command.ts";
import { defaultAgent } from "./default_agent.ts";
import { EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { askAgent, messageIn } from "./messages_commands.ts";
import { printable, printJson } from "./output.ts";

/** Cancels a message that waits or is worked on. */
export async function messagesCancel(command: MessagesChangeCommand, io: CliIo): Promise<number> {
  const message = messageIn(await change(command, io, "cancel"));
  if (command.json) printJson(io, message);
  else if (!command.quiet) {
    io.out(`${printable(command.id)} is ${printable(textOf(message.status))}\n`);
  }
  return EXIT.ok;
}

/** Sends what failed or was cancelled once more, as a new message. */
export async function messagesRetry(command: MessagesChangeCommand, io: CliIo): Promise<number> {
  const sent = await change(command, io, "retry");
  const id = printable(textOf(sent.message_id));
  if (command.json) printJson(io, sent);
  else if (command.quiet) io.out(`${id}\n`);
  else io.out(`Sent ${printable(command.id)} once more as ${id}\n`);
  return EXIT.ok;
}

// --- internal ---

async function change(
  command: MessagesChangeCommand,
  io: CliIo,
  what: "cancel" | "retry",
): Promise<Record<string, unknown>> {
  const server = await openServer(command, io);
  const agent = command.agent ?? await defaultAgent(io, server);
  const below = `/${encodeURIComponent(command.id)}/${what}`;
  return await askAgent(io, server, command.agent, agent, below, { method: "POST" });
}
