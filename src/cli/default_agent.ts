/**
 * The agent that is meant where a command names none.
 *
 * @module
 */

import { join } from "node:path";
import { findConfigKey } from "../config/schema.ts";
import { HostError } from "../host/types.ts";
import type { Server } from "./client/server.ts";
import { offlineConfig, serverConfig, surfaceKeys } from "./config_access.ts";
import { CliFailure } from "./failure.ts";
import type { HomePaths } from "./home.ts";
import type { CliIo } from "./io.ts";

/**
 * The setting `agents.default`: of the running server, else of the file. A server elsewhere tells
 * it in its handshake, since a token may be too weak to read settings.
 */
export async function defaultAgent(io: CliIo, server: Server): Promise<string> {
  const key = findConfigKey("agents.default")!;
  if (server.kind === "remote" && server.handshake.defaultAgent !== null) {
    return server.handshake.defaultAgent;
  }
  const body = await serverConfig(server);
  const value = body === null && server.kind === "local"
    ? await defaultAgentOffline(io, server.paths)
    : surfaceKeys(body ?? {}).get(key.name)?.value;
  return typeof value === "string" ? value : String(key.defaultValue);
}

/** The setting `agents.default` of the home's file. */
export async function defaultAgentOffline(io: CliIo, paths: HomePaths): Promise<string> {
  return (await offlineConfig(io, paths)).snapshot.settings.agents.default;
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

/** What to tell at a start of a default agent that was chosen and isn't there; else `null`. */
export async function defaultAgentNotice(io: CliIo, paths: HomePaths): Promise<string | null> {
  const { settings, explicit } = (await offlineConfig(io, paths)).snapshot;
  const id = settings.agents.default;
  if (!explicit.has("agents.default") || await hasAgent(io, paths, id)) return null;
  return `the setting agents.default names ${id}, and there is no such agent: make it with ` +
    `\`holon agents create ${id}\`, or choose another one with ` +
    "`holon config set agents.default ID`";
}

/**
 * Makes sure that the agent which the setting names exists; a server elsewhere tells that itself.
 *
 * @throws {CliFailure} that names it and the setting
 */
export async function requireDefaultAgent(
  io: CliIo,
  server: Server,
  agent: string,
): Promise<void> {
  if (server.kind === "remote" || await hasAgent(io, server.paths, agent)) return;
  throw new CliFailure(`there is no agent ${agent}, which the setting agents.default names`, {
    hint: `Make it with \`holon agents create ${agent}\`, or choose another one with ` +
      "`holon config set agents.default ID`.",
  });
}
