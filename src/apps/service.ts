/**
 * The apps of a home: found, validated, listed.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { Moment } from "../host/moment.ts";
import type { Clock, HostFiles } from "../host/types.ts";
import { isSegment } from "../identifiers.ts";
import { findAppFolder, findAppsFolder } from "./app_folder.ts";
import { assetComponents } from "./asset_path.ts";
import { directSource } from "./direct_source.ts";
import { inspectApps } from "./discovery.ts";
import { folderSource } from "./folder_source.ts";
import { DEFAULT_ENTRY, derivedManifest, manifestFault } from "./manifest.ts";
import { MANIFEST_NAME, readManifest } from "./manifest_file.ts";
import { createManifestMemory, type ManifestMemory } from "./manifest_memory.ts";
import { createSidecarNames, type SidecarNames } from "./sidecar_names.ts";
import type { App, AppManifest, AppService, AppSummary } from "./types.ts";

/** What the service needs. */
export interface AppServiceOptions {
  readonly files: HostFiles;
  readonly clock: Pick<Clock, "now">;
  /** `<home>/agents`. */
  readonly agentsFolder: string;
  /** Whether an app without `manifest.json` is refused, asked at each call (decision 1). */
  readonly manifestRequired: () => boolean;
}

/** Makes the service over the folders of a home. */
export function createAppService(options: AppServiceOptions): AppService {
  const { files, agentsFolder, manifestRequired } = options;
  const sidecars = createSidecarNames(files, options.clock);
  const memory = createManifestMemory(options.clock);

  async function inspect(agentId: string) {
    const folder = await findAppsFolder(files, agentsFolder, agentId);
    if (folder === null) return [];
    const load = (appId: string) =>
      loadApp({ files, root: `${folder}/${appId}`, sidecars }, agentId, appId, manifestRequired());
    return await inspectApps(files, folder, load);
  }

  async function require(agentId: string, appId: string): Promise<App> {
    const root = await findAppFolder(files, agentsFolder, agentId, appId);
    const folder = { files, root, sidecars, memory };
    return await loadApp(folder, agentId, appId, manifestRequired());
  }

  /** The app, if its manifest is known and the file still what it was, or if it needs none. */
  function directly(agentId: string, appId: string, moment?: Moment): App | null {
    if (!isSegment(agentId) || !isSegment(appId)) return null;
    const root = `${agentsFolder}/${agentId}/apps/${appId}`;
    const path = `${root}/${MANIFEST_NAME}`;
    const stat = files.peek(path, moment);
    const manifest = stat === null ? derived(root, appId, moment) : memory.recall(path, stat);
    if (manifest === null) return null;
    const resolved = async () =>
      folderSource(files, await findAppFolder(files, agentsFolder, agentId, appId), sidecars);
    return { agentId, manifest, files: directSource({ files, root, sidecars, resolved, moment }) };
  }

  function derived(root: string, appId: string, moment?: Moment): AppManifest | null {
    const path = `${root}/${DEFAULT_ENTRY}`;
    const entry = manifestRequired() ? null : files.openDirect(path, moment);
    entry?.close();
    return entry?.stat.kind === "file" ? derivedManifest(appId) : null;
  }

  return {
    inspect,
    async list(agentId) {
      return (await inspect(agentId)).flatMap(({ app }): AppSummary[] => app === null ? [] : [app]);
    },
    require,
    async requireForFiles(agentId, appId, moment) {
      return directly(agentId, appId, moment) ?? await require(agentId, appId);
    },
  };
}

/** Where an app lies. */
export interface AppFolder {
  readonly files: HostFiles;
  /** The folder's canonical path. */
  readonly root: string;
  readonly sidecars: SidecarNames;
  readonly memory?: ManifestMemory;
}

/**
 * Validates the app in a folder.
 *
 * @throws {Fault} `invalid_app_manifest`; `not_found` where it has neither manifest nor
 * `index.html`
 */
export async function loadApp(
  { files, root, sidecars, memory }: AppFolder,
  agentId: string,
  appId: string,
  manifestRequired: boolean,
): Promise<App> {
  const source = folderSource(files, root, sidecars);
  const manifest = await readManifest(files, root, source, appId, memory);
  if (manifest !== null) return { agentId, manifest, files: source };
  if (manifestRequired) throw manifestFault('is missing, and the profile "strict" requires one');
  await requireDefaultEntry(source);
  return { agentId, manifest: derivedManifest(appId), files: source };
}

async function requireDefaultEntry(source: App["files"]): Promise<void> {
  try {
    (await source.open(assetComponents(DEFAULT_ENTRY))).file.close();
  } catch (error) {
    if (!(error instanceof Fault) || (error.code !== "not_found" && error.code !== "forbidden")) {
      throw error;
    }
    throw new Fault(
      error.code,
      `The app has no manifest.json and no readable ${DEFAULT_ENTRY}`,
      { hint: `Add an ${DEFAULT_ENTRY} to the app's folder.` },
    );
  }
}
