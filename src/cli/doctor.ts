/**
 * `holon doctor`.
 *
 * @module
 */

import process from "node:process";
import { findServer, type LocalServer, type RemoteServer } from "./client/server.ts";
import type { PlainServerCommand } from "./command.ts";
import { checkConfig, checkDatabase, checkFileModes, checkHome } from "./doctor_home.ts";
import { checkAgents, checkPort, checkServer, type ServerState } from "./doctor_server.ts";
import { EXIT } from "./failure.ts";
import { type Finding, finding, type FindingLevel } from "./finding.ts";
import type { CliIo } from "./io.ts";
import { otherUsers } from "./other_users.ts";
import { type Paint, paintFor, printable, printJson } from "./output.ts";
import { nodeProblem } from "./runtime_check.ts";

/**
 * Looks at everything and says what is wrong and what to do; 1 when something is broken. With
 * `--connect` it looks at what that server tells, and at nothing of this machine's home.
 */
export async function doctor(command: PlainServerCommand, io: CliIo): Promise<number> {
  const server = await findServer(command, io);
  const findings = server.kind === "remote"
    ? [checkRuntime(io), checkHandshake(server), ...await checkAgents(io, server, true)]
    : await checkHere(io, server);
  const isSound = findings.every(({ level }) => level !== "error");
  if (command.json) printJson(io, { ok: isSound, findings });
  else print(io, command.quiet ? findings.filter(({ level }) => level !== "ok") : findings);
  return isSound ? EXIT.ok : EXIT.failed;
}

async function checkHere(io: CliIo, local: LocalServer): Promise<readonly Finding[]> {
  const { paths } = local;
  const server = await checkServer(local);
  return [
    checkRuntime(io),
    await checkHome(io, paths),
    await checkFileModes(io, paths),
    ...await checkConfig(io, paths),
    ...await checkDatabase(io, paths),
    server.finding,
    ...(server.isRunning ? [] : [await checkPort(io)]),
    ...await checkAgents(io, local, server.isRunning),
    await checkToken(io, server),
  ];
}

/** That it answers and takes the token was found when it was opened. */
function checkHandshake({ connection, handshake }: RemoteServer): Finding {
  const { name, version } = handshake.protocol;
  const what = handshake.version === null ? "Holon" : `Holon ${handshake.version}`;
  const sentence = `${connection.name} runs ${what} and takes the token (${name} ${version})`;
  return finding("server", "ok", sentence);
}

function checkRuntime(io: CliIo): Finding {
  const problem = nodeProblem(process.versions);
  return problem === null
    ? finding("runtime", "ok", `${io.host.runtime} ${io.host.version}`)
    : finding("runtime", "error", problem);
}

/** On a shared machine every user reaches a loopback port. */
async function checkToken(io: CliIo, server: ServerState): Promise<Finding> {
  const hasToken = server.tokenRequired ?? (io.env.HOLON_CONTROL_TOKEN ?? "") !== "";
  if (hasToken) return finding("token", "ok", "A token is asked for");
  const others = await otherUsers();
  if (others.length === 0) {
    return finding("token", "ok", "No token is needed: nobody else has an account here");
  }
  const names = others.slice(0, 3).join(", ") + (others.length > 3 ? ", …" : "");
  return finding(
    "token",
    "warning",
    `Others have accounts on this machine (${names}), and each can reach the server`,
    "Start with a token: (umask 077; openssl rand -hex 32 > ~/holon.token); " +
      "holon serve --token-file ~/holon.token",
  );
}

function print(io: CliIo, findings: readonly Finding[]): void {
  const paint = paintFor(io);
  for (const { level, message, hint } of findings) {
    io.out(`${mark(level, paint)} ${printable(message)}\n`);
    if (hint !== undefined) io.out(`        ${paint.dim(printable(hint))}\n`);
  }
}

function mark(level: FindingLevel, { green, yellow, red, dim }: Paint): string {
  const word = level.padEnd(7);
  switch (level) {
    case "ok":
      return green(word);
    case "note":
      return dim(word);
    case "warning":
      return yellow(word);
    case "error":
      return red(word);
  }
}
