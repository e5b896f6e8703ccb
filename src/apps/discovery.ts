/**
 * Goes through the folders below `apps/`.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { HostFiles } from "../host/types.ts";
import { isSegment } from "../identifiers.ts";
import { assetComponents } from "./asset_path.ts";
import type { App, AppInspection, AppSummary } from "./types.ts";

/** The most entries of `apps/` that are looked at. */
const MAX_ENTRIES = 100_000;

/** After so many apps other requests get their turn. */
const BATCH = 64;

/**
 * Inspects each real folder with a valid id, in ascending order of bytes. Links, files and names
 * that can't be ids are passed over.
 *
 * @param folder the canonical path of `apps`
 * @param load validates one app
 * @throws {Fault} `app_host_error` when the folder can't be listed
 */
export async function inspectApps(
  files: HostFiles,
  folder: string,
  load: (appId: string) => Promise<App>,
): Promise<readonly AppInspection[]> {
  const ids = await folderIds(files, folder);
  const inspections: AppInspection[] = [];
  for (const [index, id] of ids.entries()) {
    if (index % BATCH === BATCH - 1) await nextTurn();
    inspections.push(await inspectApp(id, load));
  }
  return inspections;
}

/** The app as it is listed. */
export function summaryOf({ agentId, manifest }: App): AppSummary {
  const { isolation, fallback, ...listed } = manifest;
  return {
    ...listed,
    url: `/apps/${agentId}/${manifest.id}/`,
    ...(isolation ? { isolation } : {}),
    ...(fallback === null ? {} : { fallback }),
  };
}

// --- internal ---

async function folderIds(files: HostFiles, folder: string): Promise<readonly string[]> {
  try {
    const entries = await files.list(folder, MAX_ENTRIES);
    // Ids are ASCII, so that the order of code units is the order of bytes.
    return entries.filter(({ kind, name }) => kind === "directory" && isSegment(name))
      .map(({ name }) => name).sort();
  } catch (error) {
    throw new Fault("app_host_error", "The agent's apps folder can't be listed", { cause: error });
  }
}

async function inspectApp(
  id: string,
  load: (appId: string) => Promise<App>,
): Promise<AppInspection> {
  try {
    const app = await load(id);
    const { entry, fallback } = app.manifest;
    const problem = await pageProblem(app, "entry", entry) ??
      (fallback === null ? null : await pageProblem(app, "fallback", fallback));
    return { id, app: summaryOf(app), problem };
  } catch (error) {
    if (error instanceof Fault) return { id, app: null, problem: error.message };
    return { id, app: null, problem: "The app can't be read" };
  }
}

/** A missing explicit page doesn't unlist an app: it answers 404 when accessed. */
async function pageProblem({ files }: App, role: string, path: string): Promise<string | null> {
  try {
    (await files.open(assetComponents(path))).file.close();
    return null;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.code === "not_found"
      ? `Its ${role} page ${path} is missing`
      : `Its ${role} page ${path} can't be served: ${error.message}`;
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
