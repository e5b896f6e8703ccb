/**
 * What `holon completion` needs to know before the grammar is asked.
 *
 * @module
 */

import { join } from "node:path";
import { profileStore } from "./client/profile_store.ts";
import type { Candidates } from "./grammar/candidates.ts";
import { homePaths } from "./home.ts";
import { listDirectories } from "./home_entries.ts";
import type { CliIo } from "./io.ts";

/** How many agents are looked into for apps: a person waits at a key. */
const MAX_AGENTS = 50;

/** Whether a command line asks for completions, not for the script that asks for them. */
export function asksForWords(args: readonly string[]): boolean {
  return args[0] === "completion" && args.length > 2;
}

/** The shell's names as people write them, in the one spelling that the library knows. */
export function withShellName(args: readonly string[]): readonly string[] {
  const [first, shell, ...rest] = args;
  if (first !== "completion" || shell === undefined) return args;
  const name = shell.toLowerCase();
  return [first, name === "powershell" ? "pwsh" : name, ...rest];
}

/** Gathers the names in the home; what can't be read is not offered. */
export async function gatherCandidates(
  args: readonly string[],
  io: CliIo,
): Promise<Candidates> {
  const [agents, profiles] = await Promise.all([
    orNone(() => agentIds(args, io)),
    orNone(async () => (await profileStore(io).list()).map(({ name }) => name)),
  ]);
  const isSetting = args.includes("config");
  const apps = isSetting || args.includes("check")
    ? await orNone(() => appIds(args, io, agents))
    : [];
  return {
    agents,
    profiles,
    apps: isSetting ? apps : await orNone(() => shortNames(args, io, apps)),
    // Loading the schema takes a while.
    settings: isSetting
      ? (await import("../config/schema.ts")).CONFIG_KEYS.map(({ name }) => name)
      : [],
    values: isSetting
      ? (await import("./completion_values.ts")).settingValues(args, { agents, apps })
      : [],
  };
}

// --- internal ---

async function agentIds(args: readonly string[], io: CliIo): Promise<readonly string[]> {
  return await listDirectories(io, (await homePaths(io, homeOption(args))).agents);
}

async function appIds(
  args: readonly string[],
  io: CliIo,
  agents: readonly string[],
): Promise<readonly string[]> {
  const folder = (await homePaths(io, homeOption(args))).agents;
  const apps = await Promise.all(
    agents.slice(0, MAX_AGENTS).map(async (agent) =>
      (await listDirectories(io, join(folder, agent, "apps"))).map((app) => `${agent}/${app}`)
    ),
  );
  return apps.flat();
}

/**
 * Apps of the default agent by their ids alone: all names of an app at once would only be longer to
 * look through, so that its agent's name stands there once that was begun.
 */
async function shortNames(
  args: readonly string[],
  io: CliIo,
  apps: readonly string[],
): Promise<readonly string[]> {
  if (apps.length === 0) return [];
  const [{ defaultAgentOffline }, paths] = await Promise.all([
    import("./default_agent.ts"),
    homePaths(io, homeOption(args)),
  ]);
  const before = `${await defaultAgentOffline(io, paths)}/`;
  const own = apps.filter((app) => app.startsWith(before));
  const begun = args.at(-1);
  return [
    ...own.map((app) => app.slice(before.length)),
    ...apps.filter((app) => begun !== "" || !own.includes(app)),
  ];
}

function homeOption(args: readonly string[]): string | undefined {
  const index = args.indexOf("--home");
  const value = index < 0 ? undefined : args[index + 1];
  return value === "" ? undefined : value;
}

/** A failure would be printed into the person's command line. */
async function orNone(read: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}
