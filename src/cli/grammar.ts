/**
 * The grammar of the command line.
 *
 * @module
 */

import { object, or } from "@optique/core/constructs";
import { runParserSync } from "@optique/core/facade";
import { message } from "@optique/core/message";
import { command, constant } from "@optique/core/primitives";
import type { Command } from "./command.ts";
import { commandsOf } from "./command_words.ts";
import { completionShells } from "./completion_shells.ts";
import { EXIT } from "./failure.ts";
import { agents } from "./grammar/agents.ts";
import { apps } from "./grammar/apps.ts";
import { config } from "./grammar/config.ts";
import { daemon } from "./grammar/daemon.ts";
import { messages } from "./grammar/messages.ts";
import { pair } from "./grammar/pair.ts";
import { profile } from "./grammar/profile.ts";
import { serve } from "./grammar/serve.ts";
import { sessions } from "./grammar/sessions.ts";
import { type CommandParser, common, server } from "./grammar/shared.ts";
import { token } from "./grammar/token.ts";
import { tui } from "./grammar/tui.ts";
import type { CliIo } from "./io.ts";
import { usesColor } from "./output.ts";
import { usageError } from "./usage_error.ts";
import { withUsageLines } from "./usage_lines.ts";
import { VERSION } from "../version.ts";

/** A command to run, or that help or an error was printed instead. */
export type Parsed =
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "done"; readonly exitCode: number };

/** Every command. */
export const grammar: CommandParser<Command> = or(
  command("serve", serve, { brief: message`Start the server.` }),
  command("daemon", daemon, { brief: message`Run the server in the background.` }),
  command("tui", tui, { brief: message`Work with agents in the terminal.` }),
  command("apps", apps, { brief: message`List, make and check apps.` }),
  command("agents", agents, { brief: message`List and make agents.` }),
  command("messages", messages, {
    brief: message`Send messages to agents; see what became of them.`,
  }),
  command("config", config, { brief: message`Read and change settings.` }),
  command("profile", profile, { brief: message`Keep servers elsewhere, with their tokens.` }),
  command("pair", pair, { brief: message`Show a code that signs a phone in.` }),
  command("token", token, { brief: message`Make and end tokens for programs and people.` }),
  command("sessions", sessions, { brief: message`See who is signed in, and sign them out.` }),
  command(
    "doctor",
    object({ command: constant("doctor"), ...server, ...common }),
    { brief: message`Check that everything is in order.` },
  ),
  command(
    "version",
    object({ command: constant("version"), ...server, ...common }),
    { brief: message`Print the version.` },
  ),
);

const COMMANDS = commandsOf(grammar.usage);

/** Parses the command line; prints help, or what is wrong with it. */
export function parseCommandLine(args: readonly string[], io: CliIo): Parsed {
  const isGroup = args.length === 1 &&
    COMMANDS.some(({ words }) => words.length > 1 && words[0] === args[0]);
  if (args.length === 0 || isGroup) {
    run([...args, "--help"], { ...io, out: (text) => io.err(text) });
    return { kind: "done", exitCode: EXIT.usage };
  }
  return run(args, io);
}

function run(args: readonly string[], io: CliIo): Parsed {
  const width = Math.max(40, Math.min(io.columns ?? 80, 100));
  const { parsed, text, isHelp } = attempt(args, io, width);
  if (text !== "") {
    io.out(isHelp ? withUsageLines(text, attempt(args, io, undefined).text, width) : text);
  }
  return parsed;
}

interface Attempt {
  readonly parsed: Parsed;
  /** What is to be printed. */
  readonly text: string;
  readonly isHelp: boolean;
}

function attempt(args: readonly string[], io: CliIo, width: number | undefined): Attempt {
  let exitCode: number | null = null;
  let isHelp = false;
  let text = "";
  const finish = (code: number): void => void (exitCode = code);
  const value = runParserSync(grammar, "holon", args, {
    help: {
      command: true,
      option: { names: ["-h", "--help"] },
      onShow: () => {
        isHelp = true;
        finish(EXIT.ok);
      },
    },
    version: {
      value: VERSION,
      option: { names: ["-V", "--version"] },
      onShow: () => finish(EXIT.ok),
    },
    completion: {
      command: true,
      shells: completionShells(args),
      onShow: () => finish(EXIT.ok),
    },
    onError: (_code, error) => {
      finish(EXIT.usage);
      io.err(usageError(args, error, COMMANDS));
      return undefined as never;
    },
    brief: message`Hosts the apps that AI agents make.`,
    aboveError: "none",
    colors: usesColor(io),
    commandList: "top-level",
    ...(width === undefined ? {} : { maxWidth: width }),
    showChoices: true,
    showDefault: { prefix: " (default: ", suffix: ")" },
    stderr: () => {},
    stdout: (part) => text += part.endsWith("\n") ? part : part + "\n",
    termWidth: "auto",
    usageLine: [{ type: "ellipsis" }],
  });
  return {
    parsed: exitCode === null ? { kind: "command", command: value } : { kind: "done", exitCode },
    text,
    isHelp,
  };
}
