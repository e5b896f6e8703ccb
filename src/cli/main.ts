/**
 * The CLI: parses the command line and runs one command.
 *
 * @module
 */

import type { Command } from "./command.ts";
import { EXIT, reportFailure } from "./failure.ts";
import { parseCommandLine, type Parsed } from "./grammar.ts";
import { setCandidates } from "./grammar/candidates.ts";
import type { CliIo } from "./io.ts";

/**
 * Runs a command line and gives the exit code: 0, 1 for a failure, 2 for a wrong command line.
 * Failures are printed as a sentence; `HOLON_DEBUG=1` adds the stack.
 *
 * @param args the arguments after the program's name
 */
export async function main(args: readonly string[], io: CliIo): Promise<number> {
  try {
    const parsed = await parse(args, io);
    if (parsed.kind === "done") return parsed.exitCode;
    return await runCommand(parsed.command, parsed.command.quiet ? withoutNotes(io) : io);
  } catch (error) {
    const report = reportFailure(error, (io.env.HOLON_DEBUG ?? "") !== "");
    io.err(report.text);
    return report.exitCode || EXIT.failed;
  }
}

/** What a shell is to offer is looked up first: the grammar itself may not wait. */
async function parse(args: readonly string[], io: CliIo): Promise<Parsed> {
  if (args[0] !== "completion") return parseCommandLine(args, io);
  const { asksForWords, gatherCandidates, withShellName } = await import("./completion.ts");
  if (asksForWords(args)) setCandidates(await gatherCandidates(args, io));
  return parseCommandLine(withShellName(args), io);
}

/** With `--quiet` only failures reach stderr: they are thrown, notes are written. */
function withoutNotes(io: CliIo): CliIo {
  return { ...io, err: () => {} };
}

/** Loads only what the command needs, so that `config get` never loads the server. */
async function runCommand(command: Command, io: CliIo): Promise<number> {
  switch (command.command) {
    case "serve":
      return (await import("./serve.ts")).serve(command, io);
    case "apps list":
      return (await import("./apps_list.ts")).appsList(command, io);
    case "apps new":
      return (await import("./apps_new.ts")).appsNew(command, io);
    case "apps check":
      return (await import("./apps_check.ts")).appsCheck(command, io);
    case "agents list":
      return (await import("./agents_commands.ts")).agentsList(command, io);
    case "agents create":
      return (await import("./agents_commands.ts")).agentsCreate(command, io);
    case "messages list":
      return (await import("./messages_commands.ts")).messagesList(command, io);
    case "messages show":
      return (await import("./messages_commands.ts")).messagesShow(command, io);
    case "messages send":
      return (await import("./messages_send.ts")).messagesSend(command, io);
    case "messages cancel":
      return (await import("./messages_change.ts")).messagesCancel(command, io);
    case "messages retry":
      return (await import("./messages_change.ts")).messagesRetry(command, io);
    case "profile add":
      return (await import("./profile_commands.ts")).profileAdd(command, io);
    case "profile list":
      return (await import("./profile_commands.ts")).profileList(command, io);
    case "profile remove":
      return (await import("./profile_commands.ts")).profileRemove(command, io);
    case "config get":
      return (await import("./config_commands.ts")).configGet(command, io);
    case "config set":
      return (await import("./config_commands.ts")).configSet(command, io);
    case "config unset":
      return (await import("./config_commands.ts")).configUnset(command, io);
    case "config list":
      return (await import("./config_commands.ts")).configList(command, io);
    case "config schema":
      return (await import("./config_commands.ts")).configSchema(command, io);
    case "daemon start":
      return (await import("./daemon/start_command.ts")).daemonStart(command, io);
    case "daemon restart":
      return (await import("./daemon/restart_command.ts")).daemonRestart(command, io);
    case "daemon stop":
      return (await import("./daemon/stop_command.ts")).daemonStop(command, io);
    case "daemon status":
      return (await import("./daemon/status_command.ts")).daemonStatus(command, io);
    case "daemon logs":
      return (await import("./daemon/logs_command.ts")).daemonLogs(command, io);
    case "pair":
      return (await import("./pair_command.ts")).pair(command, io);
    case "token create":
      return (await import("./token_commands.ts")).tokenCreate(command, io);
    case "token list":
      return (await import("./token_commands.ts")).tokenList(command, io);
    case "token revoke":
      return (await import("./token_commands.ts")).tokenRevoke(command, io);
    case "token rotate":
      return (await import("./token_commands.ts")).tokenRotate(command, io);
    case "sessions list":
      return (await import("./sessions_commands.ts")).sessionsList(command, io);
    case "sessions revoke":
      return (await import("./sessions_commands.ts")).sessionsRevoke(command, io);
    case "doctor":
      return (await import("./doctor.ts")).doctor(command, io);
    case "tui":
      return (await import("./tui_command.ts")).tui(command, io);
    case "version":
      return (await import("./version_command.ts")).version(command, io);
  }
}
