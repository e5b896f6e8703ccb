/**
 * Finds the folder of an agent's apps and the folder of one app, each confined to the one above
 * (`facts/holon.md` §a.2 and §d.5).
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { HostError, type HostFiles } from "../host/types.ts";
import { requireSegment } from "../identifiers.ts";
import { escapeFault, hiddenFault, isHidden, isWithin } from "./asset_path.ts";

/**
 * Returns the canonical path of an agent's `apps` folder, or `null` when it has none. An agent
 * exists if its directory does.
 *
 * @param agentsFolder `<home>/agents`; links on the way to an agent's home are followed
 * @throws {Fault} `bad_request`, `forbidden`, `not_found`, `app_host_error`
 */
export async function findAppsFolder(
  files: HostFiles,
  agentsFolder: string,
  agentId: string,
): Promise<string | null> {
  requireSegment(agentId, "The agent id");
  const home = await canonicalFolder(files, `${agentsFolder}/${agentId}`);
  if (home === null) {
    throw new Fault("not_found", `There is no agent "${agentId}"`, {
      hint: "Run `holon agents list` to see the agents.",
    });
  }
  const apps = `${home}/apps`;
  let kind;
  try {
    ({ kind } = await files.lstat(apps));
  } catch (error) {
    if (error instanceof HostError && error.code === "not_found") return null;
    throw new Fault("app_host_error", "The agent's apps folder can't be looked at", {
      cause: error,
    });
  }
  if (kind === "directory") return apps;
  throw new Fault("forbidden", "The agent's apps folder is a link or no folder", {
    hint: "Make `apps` a real folder in the agent's home.",
  });
}

/**
 * Returns the canonical path of an app's folder. It may be a link within `apps`.
 *
 * @throws {Fault} as {@linkcode findAppsFolder}, and `not_found` for the app
 */
export async function findAppFolder(
  files: HostFiles,
  agentsFolder: string,
  agentId: string,
  appId: string,
): Promise<string> {
  requireSegment(agentId, "The agent id");
  requireSegment(appId, "The app id");
  const apps = await findAppsFolder(files, agentsFolder, agentId);
  const folder = apps === null ? null : await canonicalFolder(files, `${apps}/${appId}`);
  if (apps === null || folder === null) {
    throw new Fault("not_found", `The agent "${agentId}" has no app "${appId}"`, {
      hint: "Run `holon apps list` to see the apps.",
    });
  }
  if (folder === apps || !isWithin(apps, folder)) throw escapeFault();
  if (folder.slice(apps.length + 1).split("/").some(isHidden)) throw hiddenFault();
  return folder;
}

/** The canonical path of a directory; `null` where there is none. */
async function canonicalFolder(files: HostFiles, path: string): Promise<string | null> {
  try {
    const canonical = await files.realpath(path);
    const { kind } = await files.lstat(canonical);
    return kind === "directory" ? canonical : null;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === "denied") {
      throw new Fault("forbidden", "Holon may not read this folder", { cause: error });
    }
    if (error.code === "io" || error.code === "too_many_open_files") {
      throw new Fault("app_host_error", "The folder can't be looked at", { cause: error });
    }
    return null;
  }
}
