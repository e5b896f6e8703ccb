/**
 * `holon config get | set | unset | list | schema`.
 *
 * @module
 */

import { settingOf } from "../config/document.ts";
import { CONFIG_KEYS, configJsonSchema, type ConfigKey } from "../config/schema.ts";
import { parseConfigText, requireConfigKey } from "../config/text_value.ts";
import type { ConfigKeyCommand, ConfigSetCommand, PlainCommand } from "./command.ts";
import {
  type AppliedChange,
  changeSetting,
  daemonConfig,
  offlineConfig,
  surfaceKeys,
} from "./config_access.ts";
import { hasAgent } from "./default_agent.ts";
import { EXIT } from "./failure.ts";
import { homePaths } from "./home.ts";
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
  const entry = (await entries(io, command.home)).find((candidate) => candidate.key === key)!;
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
  const paths = await homePaths(io, command.home);
  const change = await changeSetting(io, paths, key, value);
  printJson(io, value);
  reportChange(io, change);
  if (key.name === "agents.default" && !await hasAgent(io, paths, String(value))) {
    io.err(
      `holon: there is no agent ${value} yet: make it with \`holon agents create ${value}\`\n`,
    );
  }
  return EXIT.ok;
}

/** Puts a setting back to its default. */
export async function configUnset(command: ConfigKeyCommand, io: CliIo): Promise<number> {
  const key = requireConfigKey(command.key);
  const change = await changeSetting(io, await homePaths(io, command.home), key, undefined);
  printJson(io, { key: key.name, status: "unset" });
  reportChange(io, change);
  return EXIT.ok;
}

/** Prints all settings. */
export async function configList(command: PlainCommand, io: CliIo): Promise<number> {
  const all = await entries(io, command.home);
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

async function entries(io: CliIo, home: string | undefined): Promise<readonly Entry[]> {
  const paths = await homePaths(io, home);
  const body = await daemonConfig(paths);
  if (body === null) {
    const { snapshot } = await offlineConfig(io, paths);
    return CONFIG_KEYS.map((key) => ({
      key,
      value: settingOf(snapshot, key),
      source: snapshot.explicit.has(key.name) ? "file" : "default",
    }));
  }
  const surface = surfaceKeys(body);
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

/** Says on stderr where the change went (`facts/holon.md` §g). */
function reportChange(io: CliIo, change: AppliedChange): void {
  io.err(`applied_via=${change.via}\n`);
  if (change.via === "offline_store") {
    io.err("holon: no server runs, so the change was written to config.json for the next start\n");
  } else if (change.needsRestart) {
    io.err("holon: it takes effect when the server is started again\n");
  }
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
