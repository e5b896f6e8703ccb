/**
 * Looks through an app's folder for what would not be served.
 *
 * @module
 */

import { isHidden } from "../apps/asset_path.ts";
import { loadApp } from "../apps/service.ts";
import { STRICT_EXTENSIONS } from "../apps/strict_profile.ts";
import type { App, AppManifest } from "../apps/types.ts";
import type { AppSettings } from "../config/settings.ts";
import { Fault } from "../fault.ts";
import { extensionOf } from "../http/media_types.ts";
import { HostError, type HostFiles } from "../host/types.ts";
import { type Finding, finding } from "./finding.ts";

/** What was found. */
export interface FolderCheck {
  /** `null` when the app would not be served at all. */
  readonly manifest: AppManifest | null;
  /** Files that would be served. */
  readonly files: number;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

const MAX_ENTRIES = 100_000;
const MAX_FINDINGS = 50;

/**
 * Checks the app in a folder by the rules that serving goes by.
 *
 * @param root the folder's canonical path
 */
export async function checkFolder(
  files: HostFiles,
  root: string,
  id: string,
  settings: AppSettings,
): Promise<FolderCheck> {
  const findings: Finding[] = [];
  let app: App;
  try {
    app = await loadApp(files, root, "main", id, settings.manifestRequired);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    findings.push(finding("manifest", "error", error.message, error.hint));
    return { manifest: null, files: 0, bytes: 0, findings };
  }
  const walk = await walkFolder(files, root, app, settings);
  findings.push(...walk.findings.slice(0, MAX_FINDINGS));
  const left = walk.findings.length - MAX_FINDINGS;
  if (left > 0) findings.push(finding("files", "warning", `${left} more files are not served`));
  if (!walk.paths.has(app.manifest.entry.replace(/^\/+/, "").replace(/^(?:\.\/)+/, ""))) {
    findings.push(finding("entry", "error", `Its entry page ${app.manifest.entry} is not served`));
  }
  return { manifest: app.manifest, files: walk.paths.size, bytes: walk.bytes, findings };
}

interface Walk {
  readonly paths: ReadonlySet<string>;
  readonly bytes: number;
  readonly findings: readonly Finding[];
}

async function walkFolder(
  files: HostFiles,
  root: string,
  app: App,
  settings: AppSettings,
): Promise<Walk> {
  const paths = new Set<string>();
  const findings: Finding[] = [];
  const pending = [""];
  let bytes = 0;
  let seen = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const { name, kind } of await listSorted(files, `${root}/${folder}`, findings)) {
      const path = `${folder}${name}`;
      seen += 1;
      if (isHidden(name)) {
        findings.push(finding("files", "note", `${path} is hidden and not served`));
      } else if (kind === "directory") {
        pending.push(`${path}/`);
      } else {
        const checked = await checkFile(app, path, settings);
        if (typeof checked === "number") {
          paths.add(path);
          bytes += checked;
        } else {
          findings.push(checked);
        }
      }
      if (seen >= MAX_ENTRIES) {
        const message = `Only the first ${MAX_ENTRIES} entries were looked at`;
        return { paths, bytes, findings: [...findings, finding("files", "warning", message)] };
      }
    }
  }
  return { paths, bytes, findings };
}

/** The file's size, or why it is not served. */
async function checkFile(
  app: App,
  path: string,
  settings: AppSettings,
): Promise<Finding | number> {
  try {
    const { file, name } = await app.files.open(path.split("/"));
    const { size } = file.stat;
    file.close();
    if (size > settings.maxAssetBytes) {
      return finding(
        "files",
        "warning",
        `${path} has ${size} bytes, and the limit is ${settings.maxAssetBytes}`,
        `Raise it: holon config set local_apps.max_asset_bytes ${size}`,
      );
    }
    if (settings.typesLimited && !STRICT_EXTENSIONS.has(extensionOf(name))) {
      return finding("files", "warning", `${path} has a type that the strict profile refuses`);
    }
    return size;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return finding("files", "warning", `${path} is not served: ${error.message}`);
  }
}

async function listSorted(files: HostFiles, folder: string, findings: Finding[]) {
  try {
    const entries = await files.list(folder, MAX_ENTRIES);
    return [...entries].sort((left, right) => left.name < right.name ? -1 : 1);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    findings.push(finding("files", "warning", `A folder can't be listed (${error.code})`));
    return [];
  }
}
