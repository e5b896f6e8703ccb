/**
 * `holon doctor`.
 *
 * @module
 */

import process from "node:process";
import type { PlainCommand } from "./command.ts";
import { checkConfig, checkDatabase, checkFileModes, checkHome } from "./doctor_home.ts";
import { checkAgents, checkPort, checkServer, type ServerState } from "./doctor_server.ts";
import { EXIT } from "./failure.ts";
import { type Finding, finding, type FindingLevel } from "./finding.ts";
import { homePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { otherUsers } from "./other_users.ts";
import { type Paint, paintFor, printable, printJson } from "./output.ts";
import { nodeProblem } from "./runtime_check.ts";

/** Looks at everything and says what is wrong and what to do; 1 when something is broken. */
export async function doctor(command: PlainCommand, io: CliIo): Promise<number> {
  const paths = await homePaths(io, command.home);
  const server = await checkServer(paths);
  const findings: readonly Finding[] = [
    checkRuntime(io),
    await checkHome(io, paths),
    await checkFileModes(io, paths),
    ...await checkConfig(io, paths),
    ...await checkDatabase(io, paths),
    server.finding,
    ...(server.isRunning ? [] : [await checkPort(io)]),
    ...await checkAgents(io, paths, server.isRunning),
    await checkToken(io, server),
  ];
  const isSound = findings.every(({ level }) => level !== "error");
  if (command.json) printJson(io, { ok: isSound, findings });
  else print(io, findings);
  return isSound ? EXIT.ok : EXIT.failed;
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
