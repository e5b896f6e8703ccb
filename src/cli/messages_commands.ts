/**
 * `holon messages list | show`.
 *
 * @module
 */

import type { MessagesListCommand, MessagesShowCommand } from "./command.ts";
import { callDaemon, listIn, textOf } from "./daemon.ts";
import { defaultAgent } from "./default_agent.ts";
import { EXIT } from "./failure.ts";
import { homePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { paintFor, printable, printableLines, printJson, printTable } from "./output.ts";

/** Lists the newest messages of an agent. */
export async function messagesList(command: MessagesListCommand, io: CliIo): Promise<number> {
  const paths = await homePaths(io, command.home);
  const agent = command.agent ?? await defaultAgent(io, paths);
  const query = new URLSearchParams({ limit: String(command.limit) });
  if (command.status !== undefined) query.set("status", command.status);
  const body = await callDaemon(paths, {
    method: "GET",
    path: `/api/agents/${encodeURIComponent(agent)}/messages?${query}`,
  });
  const messages = listIn(body, "messages");
  if (command.json) {
    printJson(io, messages);
  } else if (messages.length === 0) {
    io.out(`The agent ${printable(agent)} has no such messages.\n`);
  } else {
    printTable(io, [
      ["MESSAGE", "STATUS", "FROM", "REQUEST", "CREATED"],
      ...messages.map((message) => [
        textOf(message.id ?? message.message_id),
        textOf(message.status),
        textOf(message.origin),
        textOf(message.request_type),
        textOf(message.created_at),
      ]),
    ]);
  }
  return EXIT.ok;
}

/** Shows one message with its payload and what became of it. */
export async function messagesShow(command: MessagesShowCommand, io: CliIo): Promise<number> {
  const paths = await homePaths(io, command.home);
  const agent = command.agent ?? await defaultAgent(io, paths);
  const body = await callDaemon(paths, {
    method: "GET",
    path: `/api/agents/${encodeURIComponent(agent)}/messages/${encodeURIComponent(command.id)}`,
  });
  const message = (body.message ?? body) as Record<string, unknown>;
  if (command.json) {
    printJson(io, message);
    return EXIT.ok;
  }
  const { dim } = paintFor(io);
  for (const [name, value] of Object.entries(message)) {
    if (name === "ok" || value === null) continue;
    const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
    const shown = printableLines(text).split("\n").join("\n  ");
    io.out(`${dim(`${name}:`)} ${shown.includes("\n") ? `\n  ${shown}` : shown}\n`);
  }
  return EXIT.ok;
}
