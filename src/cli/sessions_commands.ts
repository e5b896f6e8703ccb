/**
 * `holon sessions list | revoke`.
 *
 * @module
 */

import type { SessionsListCommand, SessionsRevokeCommand } from "./command.ts";
import { listIn, textOf } from "./client/fields.ts";
import { callServer, openServer, type Server } from "./client/server.ts";
import { CliFailure, EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { printable, printJson, printTable } from "./output.ts";

const PATH = "/api/auth/sessions";
/** Digits of an id that are shown; fewer don't tell one session from another. */
const SHOWN = 8;

/** Lists the sessions. */
export async function sessionsList(command: SessionsListCommand, io: CliIo): Promise<number> {
  const server = await openServer(command, io);
  const sessions = await fetchSessions(server);
  if (command.json) printJson(io, sessions);
  else if (command.quiet) sessions.forEach(({ id }) => io.out(`${printable(textOf(id))}\n`));
  else if (sessions.length === 0) io.out("Nobody is signed in.\n");
  else {
    printTable(io, [
      ["SESSION", "SIGNED IN", "SCOPE", "BY", "CREATED", "LAST SEEN", "ENDS"],
      ...sessions.map((session) => [
        textOf(session.id).slice(0, SHOWN),
        textOf(session.client),
        textOf(session.scope),
        makerOf(session),
        textOf(session.created_at),
        textOf(session.last_seen_at),
        textOf(session.expires_at) || "when idle",
      ]),
    ]);
  }
  return EXIT.ok;
}

/** Ends one session, or all. */
export async function sessionsRevoke(command: SessionsRevokeCommand, io: CliIo): Promise<number> {
  if ((command.id === undefined) !== command.all) {
    throw new CliFailure("say which session is meant: its id, or --all", {
      hint: "`holon sessions list` shows them.",
      exitCode: EXIT.usage,
    });
  }
  const server = await openServer(command, io);
  const path = command.id === undefined ? PATH : `${PATH}/${await fullId(server, command.id)}`;
  const answer = await callServer(server, { method: "DELETE", path });
  if (command.json) printJson(io, answer);
  else if (!command.quiet) {
    const ended = Number(answer.ended);
    io.out(ended === 1 ? "A session has ended.\n" : `${ended} sessions have ended.\n`);
  }
  return EXIT.ok;
}

async function fetchSessions(server: Server): Promise<readonly Record<string, unknown>[]> {
  return listIn(await callServer(server, { method: "GET", path: PATH }), "sessions");
}

/** The id that begins so; what fits none or several is refused. */
async function fullId(server: Server, start: string): Promise<string> {
  const ids = (await fetchSessions(server)).map(({ id }) => textOf(id));
  const fitting = ids.filter((id) => id.startsWith(start.toLowerCase()));
  const [id] = fitting;
  if (start !== "" && id !== undefined && fitting.length === 1) return encodeURIComponent(id);
  throw new CliFailure(
    fitting.length > 1 ? "several sessions begin so" : "there is no such session, or it has ended",
    { hint: "`holon sessions list --json` shows whole ids." },
  );
}

function makerOf(session: Record<string, unknown>): string {
  const token = textOf(session.token);
  if (token !== "") return `${textOf(session.method)} ${token}`;
  return textOf(session.method);
}
