/**
 * `holon config get | set | unset | list | schema`.
 *
 * @module
 */

import { settingOf } from "../config/document.ts";
import { CONFIG_KEYS, configJsonSchema, type ConfigKey } from "../config/schema.ts";
import { parseConfigText, requireConfigKey } from "../config/text_value.ts";
import type {
  ConfigKeyCommand,
  ConfigSetCommand,
  PlainCommand,
  PlainServerCommand,
} from "./command.ts";
import { openServer, type Server } from "./client/server.ts";
import {
  type AppliedChange,
  changeSetting,
  offlineConfig,
  serverConfig,
  surfaceKeys,
} from "./config_access.ts";
import { hasAgent } from "./default_agent.ts";
import { EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { printJson, printTable } from "./output.ts";

/** A setting with its value in the file and in the running server. */
interface Entry {
  readonly key: ConfigKey;
  readonly value: unknown;
  readonly source: string;
  /** What the server still uses, where that differs. */
  readonly running?: unknown;
}

/** Prints the value that `config.json` (or the default) gives the setting. */
export async function configGet(command: ConfigKeyCommand, io: CliIo): Promise<number> {
  const key = requireConfigKey(command.key);
  const entry = (await entries(io, await openServer(command, io))).find((candidate) =>
    candidate.key === key
  )!;
  printJson(io, entry.value);
  if ("running" in entry) {
    io.err(
      `holon: the running server still uses ${JSON.stringify(entry.running)}; ` +
        "restart it to change that\n",
    );
  }
  return EXIT.ok;
}

/** Saves a value and prints it. */
export async function configSet(command: ConfigSetCommand, io: CliIo): Promise<number> {
  const key = requireConfigKey(command.key);
  const value = parseConfigText(key, command.value);
  const server = await openServer(command, io);
  const change = await changeSetting(io, server, key, value);
  printChange(command, io, key, value);
  reportChange(io, change);
  if (
    key.name === "agents.default" && server.kind === "local" &&
    !await hasAgent(io, server.paths, String(value))
  ) {
    io.err(
      `holon: there is no agent ${value} yet: make it with \`holon agents create ${value}\`\n`,
    );
  }
  return EXIT.ok;
}

/** Puts a setting back to its default. */
export async function configUnset(command: ConfigKeyCommand, io: CliIo): Promise<number> {
  const key = requireConfigKey(command.key);
  const change = await changeSetting(io, await openServer(command, io), key, undefined);
  printChange(command, io, key, undefined);
  reportChange(io, change);
  return EXIT.ok;
}

/** Prints all settings. */
export async function configList(command: PlainServerCommand, io: CliIo): Promise<number> {
  const all = await entries(io, await openServer(command, io));
  if (command.json) {
    printJson(
      io,
      all.map(({ key, value, source, ...rest }) => ({
        key: key.name,
        value,
        default: key.defaultValue,
        source,
        ...("running" in rest ? { running: rest.running } : {}),
        applies: key.applies,
        description: key.description,
      })),
    );
    return EXIT.ok;
  }
  if (command.quiet) {
    for (const { key } of all) io.out(`${key.name}\n`);
    return EXIT.ok;
  }
  printTable(io, [
    ["KEY", "VALUE", "FROM", "APPLIES", "WHAT IT IS"],
    ...all.map(({ key, value, source }) => [
      key.name,
      shorten(JSON.stringify(value)),
      source,
      key.applies === "live" ? "at once" : "on restart",
      key.description,
    ]),
  ]);
  return EXIT.ok;
}

/** Prints the JSON Schema of `config.json`. */
export function configSchema(_command: PlainCommand, io: CliIo): number {
  printJson(io, configJsonSchema());
  return EXIT.ok;
}

async function entries(io: CliIo, server: Server): Promise<readonly Entry[]> {
  const body = await serverConfig(server);
  if (body === null && server.kind === "local") {
    const { snapshot } = await offlineConfig(io, server.paths);
    return CONFIG_KEYS.map((key) => ({
      key,
      value: settingOf(snapshot, key),
      source: snapshot.explicit.has(key.name) ? "file" : "default",
    }));
  }
  const surface = surfaceKeys(body ?? {});
  return CONFIG_KEYS.map((key) => {
    const entry = surface.get(key.name) ?? {};
    const running = "value" in entry ? entry.value : key.defaultValue;
    const value = "stored" in entry ? entry.stored : running;
    const differs = JSON.stringify(value) !== JSON.stringify(running);
    return {
      key,
      value,
      source: String(entry.stored_source ?? entry.source ?? "default"),
      ...(differs ? { running } : {}),
    };
  });
}

/**
 * Prints what was changed: to a person in words, to a program as JSON (`facts/holon.md` §g), with
 * `--quiet` not at all.
 */
function printChange(
  { json, quiet }: ConfigKeyCommand | ConfigSetCommand,
  io: CliIo,
  key: ConfigKey,
  value: unknown,
): void {
  if (quiet && !json) return;
  const sentence = value !== undefined
    ? `${key.name} is now ${JSON.stringify(value)}`
    : `${key.name} is back to its default, ${JSON.stringify(key.defaultValue)}`;
  if (!json && io.terminal.stdout) return io.out(`${sentence}\n`);
  printJson(io, value === undefined ? { key: key.name, status: "unset" } : value);
  // The object has no room for it, and a person may still be looking.
  if (value === undefined) io.err(`holon: ${sentence}\n`);
}

/** Says on stderr where the change went; programs look for `applied_via` (`facts/holon.md` §g). */
function reportChange(io: CliIo, change: AppliedChange): void {
  if (!io.terminal.stderr) io.err(`applied_via=${change.via}\n`);
  if (change.via === "offline_store") {
    io.err("holon: no server runs, so the change was written to config.json for the next start\n");
  } else if (change.needsRestart) {
    io.err("holon: it takes effect when the server is started again\n");
  }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
