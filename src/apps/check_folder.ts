/**
 * Checks an app's folder before it is served: what is wrong, and what a visitor won't get.
 *
 * @module
 */

import type { AppSettings } from "../config/settings.ts";
import { Fault } from "../fault.ts";
import type { HostFiles } from "../host/types.ts";
import { isSegment } from "../identifiers.ts";
import { assetComponents } from "./asset_path.ts";
import { crawl } from "./check/crawl.ts";
import { type AppFinding, Findings } from "./check/findings.ts";
import { type CheckedFolder, walkFolder } from "./check/folder_walk.ts";
import type { AppPlace } from "./check/place.ts";
import { checkSidecars } from "./check/sidecar_checks.ts";
import { folderSource } from "./folder_source.ts";
import { derivedManifest } from "./manifest.ts";
import { loadApp } from "./service.ts";
import { NO_SIDECARS } from "./sidecar_names.ts";
import type { AppManifest } from "./types.ts";

/** What came of a check. */
export interface AppCheck {
  /** The id that the app would have: the folder's name. */
  readonly appId: string;
  /** By path and line; what is about the whole app comes first. */
  readonly findings: readonly AppFinding[];
  /** Files that can be served, and their bytes. */
  readonly files: number;
  readonly bytes: number;
  /** Whether there was too much to look at all of it. */
  readonly truncated: boolean;
}

/**
 * Checks a folder as if it were served.
 *
 * @param path any path of the folder
 * @param ownOrigins apps that have an origin of their own, as `agent/app`; `all` for every one
 * @throws {HostError} when there is no such folder
 */
export async function checkAppFolder(
  files: HostFiles,
  path: string,
  settings: AppSettings,
  ownOrigins: readonly string[] = [],
): Promise<AppCheck> {
  const root = await files.realpath(path);
  const findings = new Findings();
  const source = folderSource(files, root, NO_SIDECARS);
  const folder: CheckedFolder = { files, root, source, settings, findings };
  const app = placeOfFolder(root, ownOrigins);
  const manifest = await checkApp(folder, app.appId);
  const index = await walkFolder(folder);
  await checkSidecars(folder, index);
  const isComplete = await crawl({ folder, index, app, manifest });
  return {
    appId: app.appId,
    findings: findings.sorted(),
    files: index.files.size,
    bytes: index.bytes,
    truncated: index.truncated || findings.truncated || !isComplete,
  };
}

// --- internal ---

/** In a home the folder's path tells the agent, and so the app's whole address. */
function placeOfFolder(root: string, ownOrigins: readonly string[]): AppPlace {
  const [, agentId = null, id = ""] = /\/agents\/([^/]+)\/apps\/([^/]+)$/.exec(root) ??
    /()([^/]*)$/.exec(root) ?? [];
  const hasOwnOrigin = ownOrigins.includes("all") || ownOrigins.includes(`${agentId}/${id}`);
  return { agentId: agentId || null, appId: id, hasOwnOrigin };
}

/** The folder's name, the manifest and the pages that it names. */
async function checkApp(folder: CheckedFolder, id: string): Promise<AppManifest> {
  const { files, root, settings, findings } = folder;
  if (!isSegment(id)) {
    const rule = 'use 1 to 128 letters, digits, "-", "_" and "."';
    findings.add("error", "app_id", null, `The folder's name can't be an app id: ${rule}`);
  }
  try {
    const place = { files, root, sidecars: NO_SIDECARS };
    const { manifest } = await loadApp(place, "", id, settings.manifestRequired);
    await checkPage(folder, "entry", manifest.entry);
    if (manifest.fallback !== null) await checkPage(folder, "fallback", manifest.fallback);
    return manifest;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    findings.add("error", "manifest", null, error.message);
    return derivedManifest(id);
  }
}

async function checkPage({ source, findings }: CheckedFolder, role: string, path: string) {
  try {
    (await source.open(assetComponents(path))).file.close();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    findings.add("error", "entry", path, `The ${role} page can't be served: ${error.message}`);
  }
}
