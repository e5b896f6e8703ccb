/**
 * The agent that is meant where a command names none.
 *
 * @module
 */

import { findConfigKey } from "../config/schema.ts";
import { settingOf } from "../config/document.ts";
import { daemonConfig, offlineConfig, surfaceKeys } from "./config_access.ts";
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
