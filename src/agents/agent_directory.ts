/**
 * Agents as directories `<home>/agents/<id>/` (`design.md` decision 17).
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { type FileStat, HostError, type HostFiles } from "../host/types.ts";
import { isSegment, requireSegment } from "../identifiers.ts";
import {
  AGENT_CONFIG_BYTES,
  type AgentConfig,
  configProblem,
  distrust,
  NO_CONFIG,
  parseAgentConfig,
} from "./agent_config.ts";
import type { Agent } from "./types.ts";

/** The agents of a home. */
export interface AgentDirectory {
  /** By id, ascending. Entries that are no agents are skipped. */
  list(): Promise<readonly Agent[]>;
  /** The agent, or `undefined`; whatever the id. */
  find(agentId: string): Promise<Agent | undefined>;
  /** @throws {Fault} `bad_request`, `forbidden`, `not_found` */
  require(agentId: string): Promise<Agent>;
  /**
   * Makes an agent with an empty `apps/`, both 0700. One that is there is left as it is.
   *
   * @throws {Fault} `bad_request`, `forbidden`; {HostError} where it can't be made
   */
  create(agentId: string): Promise<Agent>;
  /** The absolute path of an agent's directory. */
  pathOf(agentId: string): string;
}

/** The most entries of `agents/` that are looked at. */
export const MAX_AGENTS: number = 10_000;

/** A file younger than this is read again, since a rewrite within one tick can't be seen. */
const SETTLED_MS = 2000;

interface CachedConfig {
  readonly mark: string;
  readonly config: AgentConfig;
}

/** Looks for agents below a home's directory. */
export function createAgentDirectory(
  home: string,
  files: HostFiles,
  now: () => number,
): AgentDirectory {
  const root = `${home}/agents`;
  const cache = new Map<string, CachedConfig>();
  const pathOf = (agentId: string) => `${root}/${agentId}`;

  /** The agent's configuration; read anew when a look at the file says that it may differ. */
  async function configOf(agentId: string, directory: FileStat): Promise<AgentConfig> {
    const path = `${pathOf(agentId)}/agent.json`;
    const found = await lstat(files, path);
    if (found === null) return NO_CONFIG;
    const { uid: owner } = await files.stat(home);
    const mark = [owner, directory, found].map((item) => JSON.stringify(item)).join();
    const cached = cache.get(agentId);
    if (cached?.mark === mark) return cached.config;
    const config = await readConfig(files, pathOf(agentId), directory, owner);
    if (now() - Math.max(found.mtimeMs, found.ctimeMs) > SETTLED_MS) {
      cache.set(agentId, { mark, config });
    } else {
      cache.delete(agentId);
    }
    return config;
  }

  async function find(agentId: string): Promise<Agent | undefined> {
    if (!isSegment(agentId)) return undefined;
    const directory = await lstat(files, pathOf(agentId));
    if (directory?.kind !== "directory") {
      cache.delete(agentId);
      return undefined;
    }
    return { id: agentId, ...await configOf(agentId, directory) };
  }

  async function require(agentId: string): Promise<Agent> {
    requireSegment(agentId, "The agent id");
    const agent = await find(agentId);
    if (agent !== undefined) return agent;
    throw new Fault("not_found", "There is no agent with this id", {
      hint: "Run `holon agents list` to see the agents of this home.",
    });
  }

  return {
    pathOf,
    find,
    require,
    async list() {
      const agents: Agent[] = [];
      for (const id of (await agentIds(files, root)).sort()) {
        const agent = await find(id);
        if (agent !== undefined) agents.push(agent);
      }
      return agents;
    },
    async create(agentId) {
      requireSegment(agentId, "The agent id");
      await files.makeDirectory(`${pathOf(agentId)}/apps`, 0o700);
      return await require(agentId);
    },
  };
}

/** Links are no agents: what they lead to is not the home's. */
async function agentIds(files: HostFiles, root: string): Promise<string[]> {
  try {
    const entries = await files.list(root, MAX_AGENTS);
    return entries.filter(({ kind, name }) => kind === "directory" && isSegment(name))
      .map(({ name }) => name);
  } catch (error) {
    if (error instanceof HostError && error.code === "not_found") return [];
    throw error;
  }
}

/** Reads the file from one handle, after what is open was found fit to be trusted. */
async function readConfig(
  files: HostFiles,
  folder: string,
  directory: FileStat,
  owner: number,
): Promise<AgentConfig> {
  try {
    // A link is not followed: whoever may write where it leads could choose the program.
    const file = await files.openCanonical(`${await files.realpath(folder)}/agent.json`);
    try {
      const problem = distrust(directory, owner, "The agent's directory") ??
        distrust(file.stat, owner, "agent.json");
      if (problem !== null) return configProblem(problem);
      if (file.stat.kind !== "file") return configProblem("agent.json is not a regular file");
      if (file.stat.size > AGENT_CONFIG_BYTES) {
        return configProblem(`agent.json is larger than ${AGENT_CONFIG_BYTES} bytes`);
      }
      const view = new Uint8Array(AGENT_CONFIG_BYTES);
      let length = 0;
      while (length < view.byteLength) {
        const read = await file.read(view.subarray(length), length);
        if (read === 0) break;
        length += read;
      }
      return parseAgentConfig(new TextDecoder().decode(view.subarray(0, length)));
    } finally {
      file.close();
    }
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return configProblem(
      "agent.json can't be read: make it a regular file, no link, that its owner can read",
    );
  }
}

async function lstat(files: HostFiles, path: string): Promise<FileStat | null> {
  try {
    return await files.find(path);
  } catch (error) {
    if (error instanceof HostError) return null;
    throw error;
  }
}
