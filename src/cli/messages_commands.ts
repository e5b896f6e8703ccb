/**
 * `holon messages list | show`.
 *
 * @module
 */

import type { ClientRequest } from "./client/types.ts";
import type { MessagesListCommand, MessagesShowCommand } from "./command.ts";
import { listIn, textOf } from "./client/fields.ts";
import { callServer, openServer, type Server } from "./client/server.ts";
import { defaultAgent, requireDefaultAgent } from "./default_agent.ts";
import { EXIT } from "./failure.ts";
import { requireHome } from "./home.ts";
import type { CliIo } from "./io.ts";
import { messageHint } from "./message_hints.ts";
import { paintFor, printable, printableLines, printJson, printTable } from "./output.ts";

/** Lists the newest messages of an agent. */
export async function messagesList(command: MessagesListCommand, io: CliIo): Promise<number> {
  const server = await openServer(command, io);
  const agent = command.agent ?? await defaultAgent(io, server);
  const query = new URLSearchParams({ limit: String(command.limit) });
  if (command.status !== undefined) query.set("status", command.status);
  const body = await askAgent(io, server, command.agent, agent, `?${query}`);
  const messages = listIn(body, "messages");
  if (command.json) {
    printJson(io, messages);
  } else if (command.quiet) {
    messages.forEach((message) => io.out(`${printable(idOf(message))}\n`));
  } else if (messages.length === 0) {
    io.out(`The agent ${printable(agent)} has no such messages.\n`);
  } else {
    printTable(io, [
      ["MESSAGE", "STATUS", "FROM", "REQUEST", "CREATED"],
      ...messages.map((message) => [
        idOf(message),
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
  const server = await openServer(command, io);
  const agent = command.agent ?? await defaultAgent(io, server);
  const below = `/${encodeURIComponent(command.id)}`;
  const body = await askAgent(io, server, command.agent, agent, below);
  const message = messageIn(body);
  printMessage(io, message, command.json);
  const hint = command.json || !io.terminal.stdout ? null : messageHint(command, message);
  if (hint !== null) io.err(`holon: ${hint}\n`);
  return EXIT.ok;
}

/** The message of an answer. */
export function messageIn(body: Record<string, unknown>): Record<string, unknown> {
  return (body.message ?? body) as Record<string, unknown>;
}

/** Prints a message with all its fields. */
export function printMessage(io: CliIo, message: Record<string, unknown>, json: boolean): void {
  if (json) return printJson(io, message);
  for (const [name, value] of Object.entries(message)) {
    if (name !== "ok") printField(io, name, value, "");
  }
}

/** The id of a message. */
export function idOf(message: Record<string, unknown>): string {
  return textOf(message.id ?? message.message_id);
}

/** Asks about an agent's messages; a default agent that doesn't exist is told as such. */
export async function askAgent(
  io: CliIo,
  server: Server,
  named: string | undefined,
  agent: string,
  below: string,
  request: Omit<ClientRequest, "path"> = { method: "GET" },
): Promise<Record<string, unknown>> {
  const path = `/api/agents/${encodeURIComponent(agent)}/messages${below}`;
  if (server.kind === "local") await requireHome(io, server.paths);
  return await callServer(server, { ...request, path }, async ({ status }) => {
    if (named === undefined && status === 404) await requireDefaultAgent(io, server, agent);
  });
}

/** Prints a field; what an agent's process wrote keeps its lines, as an indented block. */
function printField(io: CliIo, name: string, value: unknown, indent: string): void {
  if (value === null) return;
  const label = indent + paintFor(io).dim(`${printable(name)}:`);
  if (name === "result" && typeof value === "object" && !Array.isArray(value)) {
    io.out(`${label}\n`);
    for (const [key, part] of Object.entries(value)) printField(io, key, part, `${indent}  `);
    return;
  }
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  const lines = printableLines(text).replace(/\r?\n$/, "").split("\n");
  const block = lines.map((line) => `\n${indent}  ${line}`).join("");
  io.out(lines.length > 1 ? `${label}${block}\n` : `${label} ${lines[0]}\n`);
}
