/**
 * The grammar of the command line.
 *
 * @module
 */

import { merge, object, or } from "@optique/core/constructs";
import { runParserSync } from "@optique/core/facade";
import { formatMessage, type Message, message } from "@optique/core/message";
import { optional, withDefault } from "@optique/core/modifiers";
import type { Parser } from "@optique/core/parser";
import { argument, command, constant, flag, option } from "@optique/core/primitives";
import { choice, integer, string } from "@optique/core/valueparser";
import type { Command } from "./command.ts";
import { EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { nearest } from "./nearest.ts";
import { usesColor } from "./output.ts";
import { VERSION } from "../version.ts";

/** A command to run, or that help or an error was printed instead. */
export type Parsed =
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "done"; readonly exitCode: number };

/** The templates of `holon apps new`. */
const TEMPLATES = ["card", "blank", "wasm"] as const;
const LOG_CHOICES = ["json", "text", "off"] as const;
const STATUSES = ["queued", "processing", "succeeded", "failed", "cancelled"] as const;

const common = object({
  home: optional(option("--home", string({ metavar: "DIR" }), {
    description: message`Folder of the home; else HOLON_HOME, else ~/.holon.`,
  })),
  json: withDefault(flag("--json", { description: message`Print JSON.` }), false),
});

const agent = optional(option("--agent", string({ metavar: "AGENT" }), {
  description: message`Agent that is meant; else the setting agents.default.`,
}));

const key = argument(string({ metavar: "KEY" }), {
  description: message`Setting, such as local_apps.max_asset_bytes.`,
});

const serve = merge(
  object({
    command: constant("serve"),
    listen: optional(option("--listen", string({ metavar: "ADDRESS:PORT" }), {
      description:
        message`Where to listen; else HOLON_HTTP_ADDR, else 127.0.0.1:7878. Other addresses than loopback ones need a token.`,
    })),
    port: optional(option("--port", integer({ min: 0, max: 65_535, metavar: "PORT" }), {
      description: message`Port on 127.0.0.1; 0 takes any free one.`,
    })),
    tokenFile: optional(option("--token-file", string({ metavar: "FILE" }), {
      description: message`File with the token that every request must carry then.`,
    })),
    log: optional(option("--log", choice(LOG_CHOICES), {
      description:
        message`How requests are logged on stderr; else HOLON_LOG, else text on a terminal (what goes wrong) and json elsewhere.`,
    })),
    open: withDefault(
      flag("--open", { description: message`Open the home page in a browser.` }),
      false,
    ),
  }),
  common,
);

const apps = or(
  command(
    "list",
    merge(object({ command: constant("apps list"), agent }), common),
    { brief: message`List the apps of an agent, with what is wrong with broken ones.` },
  ),
  command(
    "new",
    merge(
      object({
        command: constant("apps new"),
        name: argument(string({ metavar: "NAME" }), {
          description: message`Id of the app: the name of its folder.`,
        }),
        agent,
        template: withDefault(
          option("--template", choice(TEMPLATES), {
            description: message`What to start from.`,
          }),
          "card",
        ),
      }),
      common,
    ),
    { brief: message`Make a new app from a template.` },
  ),
  command(
    "check",
    merge(
      object({
        command: constant("apps check"),
        directory: argument(string({ metavar: "DIR|APP" }), {
          description: message`Folder of the app, or its id or AGENT/APP in the home.`,
        }),
      }),
      common,
    ),
    { brief: message`Check an app's folder for what would not be served.` },
  ),
);

const agents = or(
  command(
    "list",
    merge(object({ command: constant("agents list") }), common),
    { brief: message`List the agents.` },
  ),
  command(
    "create",
    merge(
      object({
        command: constant("agents create"),
        id: argument(string({ metavar: "ID" }), { description: message`Id of the agent.` }),
      }),
      common,
    ),
    { brief: message`Make a new agent.` },
  ),
);

const messages = or(
  command(
    "list",
    merge(
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
      }),
      common,
    ),
    { brief: message`List the newest messages of an agent.` },
  ),
  command(
    "show",
    merge(
      object({
        command: constant("messages show"),
        id: argument(string({ metavar: "MESSAGE" }), { description: message`Id of the message.` }),
        agent,
      }),
      common,
    ),
    { brief: message`Show a message and what became of it.` },
  ),
);

const config = or(
  command(
    "get",
    merge(object({ command: constant("config get"), key }), common),
    { brief: message`Print a setting as JSON.` },
  ),
  command(
    "set",
    merge(
      object({
        command: constant("config set"),
        key,
        value: argument(string({ metavar: "VALUE" }), {
          description: message`New value; lists as a JSON array or with commas.`,
        }),
      }),
      common,
    ),
    { brief: message`Change a setting.` },
  ),
  command(
    "unset",
    merge(object({ command: constant("config unset"), key }), common),
    { brief: message`Put a setting back to its default.` },
  ),
  command(
    "list",
    merge(object({ command: constant("config list") }), common),
    { brief: message`List all settings.` },
  ),
  command(
    "schema",
    merge(object({ command: constant("config schema") }), common),
    { brief: message`Print the JSON Schema of config.json.` },
  ),
);

const grammar = or(
  command("serve", serve, { brief: message`Start the server.` }),
  command("apps", apps, { brief: message`List, make and check apps.` }),
  command("agents", agents, { brief: message`List and make agents.` }),
  command("messages", messages, { brief: message`Look at what apps asked of agents.` }),
  command("config", config, { brief: message`Read and change settings.` }),
  command(
    "doctor",
    merge(object({ command: constant("doctor") }), common),
    { brief: message`Check that everything is in order.` },
  ),
  command(
    "version",
    merge(object({ command: constant("version") }), common),
    { brief: message`Print the version.` },
  ),
);

/** Which words may follow the first one; for typo hints. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  agents: ["list", "create"],
  apps: ["list", "new", "check"],
  config: ["get", "set", "unset", "list", "schema"],
  messages: ["list", "show"],
};

const OPTIONS = [
  "--agent",
  "--help",
  "--home",
  "--json",
  "--limit",
  "--listen",
  "--log",
  "--open",
  "--port",
  "--status",
  "--template",
  "--token-file",
];

/** Parses the command line; prints help, or what is wrong with it. */
export function parseCommandLine(args: readonly string[], io: CliIo): Parsed {
  const isGroup = args.length === 1 && Object.hasOwn(WORDS, args[0] ?? "");
  if (args.length === 0 || isGroup) {
    run([...args, "--help"], { ...io, out: (text) => io.err(text) });
    return { kind: "done", exitCode: EXIT.usage };
  }
  return run(args, io);
}

function run(args: readonly string[], io: CliIo): Parsed {
  let exitCode: number | null = null;
  const finish = (code: number): void => void (exitCode = code);
  const value = runParserSync(grammar as Parser<"sync", Command, unknown>, "holon", args, {
    help: { command: true, option: { names: ["-h", "--help"] }, onShow: () => finish(EXIT.ok) },
    version: {
      value: VERSION,
      option: { names: ["-V", "--version"] },
      onShow: () => finish(EXIT.ok),
    },
    completion: { command: true, onShow: () => finish(EXIT.ok) },
    onError: (_code, error) => {
      finish(EXIT.usage);
      io.err(usageError(args, error));
      return undefined as never;
    },
    brief: message`Hosts the apps that AI agents make.`,
    aboveError: "none",
    colors: usesColor(io),
    commandList: "top-level",
    maxWidth: Math.max(40, Math.min(io.columns ?? 100, 100)),
    showChoices: true,
    showDefault: true,
    stderr: () => {},
    stdout: (text) => io.out(text.endsWith("\n") ? text : text + "\n"),
    termWidth: "auto",
    usageLine: [{ type: "ellipsis" }],
  });
  return exitCode === null ? { kind: "command", command: value } : { kind: "done", exitCode };
}

function usageError(args: readonly string[], error: Message): string {
  const sentence = formatMessage(error, { colors: false }).replace(/\n\n/g, " ").replace(/\.$/, "");
  const [first = "", second] = args;
  const words = WORDS[first];
  const wrong = args.find((arg) => arg.startsWith("--") && !OPTIONS.includes(arg.split("=")[0]!));
  const guess = sentence.includes("Did you mean")
    ? undefined
    : wrong !== undefined
    ? nearest(wrong, OPTIONS)
    : words !== undefined && second !== undefined && !words.includes(second)
    ? nearest(second, words)
    : undefined;
  const command = [first, words?.includes(second ?? "") ? second : undefined]
    .filter((word) => word !== undefined && /^[a-z]+$/.test(word)).join(" ");
  const known = command !== "" && (words !== undefined || isCommand(first));
  return `holon: ${sentence}${guess === undefined ? "" : `. Did you mean \`${guess}\`?`}\n` +
    `  Run \`holon ${known ? `${command} ` : ""}--help\` to see what it takes.\n`;
}

function isCommand(word: string): boolean {
  return ["serve", "doctor", "version"].includes(word);
}
