/**
 * The agent that is meant where a command names none.
 *
 * @module
 */

import { join } from "node:path";
import { findConfigKey } from "../config/schema.ts";
import { settingOf } from "../config/document.ts";
import { HostError } from "../host/types.ts";
import { daemonConfig, offlineConfig, surfaceKeys } from "./config_access.ts";
import { CliFailure } from "./failure.ts";
import type { HomePaths } from "./home.ts";
import type { CliIo } from "./io.ts";

/** The setting `agents.default`: of the running server, else of the file. */
export async function defaultAgent(io: CliIo, paths: HomePaths): Promise<string> {
  const key = findConfigKey("agents.default")!;
  const body = await daemonConfig(paths);
  const value = body === null
    ? settingOf((await offlineConfig(io, paths)).snapshot, key)
    : surfaceKeys(body).get(key.name)?.value;
  return typeof value === "string" ? value : String(key.defaultValue);
}

/** Whether the home has the folder of such an agent. */
export async function hasAgent(io: CliIo, paths: HomePaths, agent: string): Promise<boolean> {
  try {
    return (await io.host.files.stat(join(paths.agents, agent))).kind === "directory";
  } catch (error) {
    if (error instanceof HostError && error.code === "not_found") return false;
    throw error;
  }
}

/**
 * Makes sure that the agent which the setting names exists.
 *
 * @throws {CliFailure} that names it and the setting
 */
export async function requireDefaultAgent(
  io: CliIo,
  paths: HomePaths,
  agent: string,
): Promise<void> {
  if (await hasAgent(io, paths, agent)) return;
  throw new CliFailure(`there is no agent ${agent}, which the setting agents.default names`, {
    hint: `Make it with \`holon agents create ${agent}\`, or choose another one with ` +
      "`holon config set agents.default ID`.",
  });
}
