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

/** The most folders that are listed although their names are no app ids. */
const MAX_MISNAMED = 100;

/** The longest suggestion of an id; ids may be longer, but nobody types those. */
const MAX_ID = 64;

/** After so many apps other requests get their turn. */
const BATCH = 64;

/**
 * Inspects each real folder, in ascending order of names; one whose name is no app id is told of as
 * not served. Links, files and hidden names are passed over.
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
  const names = await folderNames(files, folder);
  const inspections: AppInspection[] = [];
  for (const [index, name] of names.entries()) {
    if (index % BATCH === BATCH - 1) await nextTurn();
    inspections.push(isSegment(name) ? await inspectApp(name, load) : misnamed(name));
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

async function folderNames(files: HostFiles, folder: string): Promise<readonly string[]> {
  try {
    const entries = await files.list(folder, MAX_ENTRIES);
    const names = entries.filter(({ kind, name }) => kind === "directory" && !name.startsWith("."))
      .map(({ name }) => name);
    const others = names.filter((name) => !isSegment(name)).sort().slice(0, MAX_MISNAMED);
    // Ids are ASCII, so that the order of code units is the order of their bytes.
    return [...names.filter(isSegment), ...others].sort();
  } catch (error) {
    throw new Fault("app_host_error", "The agent's apps folder can't be listed", { cause: error });
  }
}

function misnamed(name: string): AppInspection {
  const problem = `The folder's name is no app id: rename it, e.g. "${idLike(name)}"`;
  return { id: name, app: null, problem };
}

/** An app id that resembles a name, e.g. `my-app` for `My App`. */
function idLike(name: string): string {
  const id = name.normalize("NFKD").replace(/\p{Mark}+/gu, "").toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-").replace(/^[.-]+/, "").slice(0, MAX_ID).replace(/[.-]+$/, "");
  return id === "" ? "my-app" : id;
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
