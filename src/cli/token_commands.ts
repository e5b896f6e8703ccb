/**
 * `holon token create | list | revoke | rotate`.
 *
 * @module
 */

import type {
  CommonOptions,
  TokenCreateCommand,
  TokenListCommand,
  TokenRevokeCommand,
  TokenRotateCommand,
} from "./command.ts";
import { listIn, textOf } from "./client/fields.ts";
import { callServer, openServer } from "./client/server.ts";
import { parseDuration } from "./duration.ts";
import { CliFailure, EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { printable, printJson, printTable } from "./output.ts";

const PATH = "/api/auth/tokens";
const NAME = /^(?!\.)[A-Za-z0-9._-]{1,64}$/;

type Json = Readonly<Record<string, unknown>>;

/** Makes a token. Only the secret goes to stdout, so that a script can keep it. */
export async function tokenCreate(command: TokenCreateCommand, io: CliIo): Promise<number> {
  const { name, scope, expires } = command;
  if (!NAME.test(name)) {
    throw new CliFailure(`"${printable(name)}" is no name for a token`, {
      hint: 'Use 1 to 64 letters, digits, "-", "_" and ".", no dot in front.',
      exitCode: EXIT.usage,
    });
  }
  const server = await openServer(command, io);
  const expires_in_s = expires === undefined ? null : parseDuration(expires, "--expires");
  const body = { name, scope, expires_in_s };
  const answer = await callServer(server, { method: "POST", path: PATH, body });
  return printIssued(answer, command, io);
}

/** Lists the tokens. */
export async function tokenList(command: TokenListCommand, io: CliIo): Promise<number> {
  const server = await openServer(command, io);
  const tokens = listIn(await callServer(server, { method: "GET", path: PATH }), "tokens");
  if (command.json) printJson(io, tokens);
  else if (command.quiet) tokens.forEach(({ name }) => io.out(`${printable(textOf(name))}\n`));
  else if (tokens.length === 0) {
    io.out("There are no tokens besides the server's own. Make one: holon token create NAME\n");
  } else {
    printTable(io, [
      ["NAME", "SCOPE", "STATE", "CREATED", "LAST USED", "EXPIRES"],
      ...tokens.map((token) => [
        textOf(token.name),
        textOf(token.scope),
        textOf(token.state),
        textOf(token.created_at),
        textOf(token.last_used_at) || "never",
        textOf(token.expires_at) || "never",
      ]),
    ]);
  }
  return EXIT.ok;
}

/** Ends a token. */
export async function tokenRevoke(command: TokenRevokeCommand, io: CliIo): Promise<number> {
  const server = await openServer(command, io);
  const path = `${PATH}/${encodeURIComponent(command.name)}`;
  const answer = await callServer(server, { method: "DELETE", path });
  if (command.json) printJson(io, answer);
  else if (!command.quiet) {
    const count = Number(answer.ended_sessions);
    const sessions = count === 0
      ? ""
      : `, and with it ${count === 1 ? "a session" : `${count} sessions`}`;
    io.out(`The token ${printable(command.name)} has ended${sessions}.\n`);
  }
  return EXIT.ok;
}

/** Gives a token another secret. */
export async function tokenRotate(command: TokenRotateCommand, io: CliIo): Promise<number> {
  const server = await openServer(command, io);
  const { name, expires } = command;
  const path = `${PATH}/${encodeURIComponent(name)}/rotate`;
  const body = expires === undefined ? {} : { expires_in_s: parseDuration(expires, "--expires") };
  return printIssued(await callServer(server, { method: "POST", path, body }), command, io);
}

function printIssued(answer: Json, { json, quiet }: CommonOptions, io: CliIo): number {
  if (json) {
    printJson(io, answer);
    return EXIT.ok;
  }
  const token = (answer["token"] ?? {}) as Json;
  const shown = (field: string) => printable(textOf(token[field]));
  const end = shown("expires_at");
  if (!quiet) {
    io.err(
      `The token ${shown("name")} has the scope ${shown("scope")} and ` +
        `${end === "" ? "doesn't expire" : `expires at ${end}`}. It is shown this once:\n`,
    );
  }
  io.out(`${printable(textOf(answer["credential"]))}\n`);
  return EXIT.ok;
}
