/**
 * Reads the manifest of an app's folder.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { HostError, type HostFiles, type OpenedFile } from "../host/types.ts";
import { MANIFEST_LIMIT, manifestFault, parseManifest } from "./manifest.ts";
import { type ManifestMemory, NO_MEMORY } from "./manifest_memory.ts";
import type { AppManifest, FileSource } from "./types.ts";

/** The manifest's name in the app's root. */
export const MANIFEST_NAME = "manifest.json";

/**
 * Returns the manifest of an app, or `null` when the folder has no entry `manifest.json` at all.
 * Whatever else stands there has to be a valid manifest: there is no falling back.
 *
 * @param root the folder's canonical path
 * @param memory told of the manifest, so that it need not be read again
 * @throws {Fault} `invalid_app_manifest` (422)
 */
export async function readManifest(
  files: HostFiles,
  root: string,
  source: FileSource,
  appId: string,
  memory: ManifestMemory = NO_MEMORY,
): Promise<AppManifest | null> {
  const path = `${root}/${MANIFEST_NAME}`;
  try {
    await files.lstat(path);
  } catch (error) {
    if (error instanceof HostError && error.code === "not_found") return null;
    throw manifestFault("can't be looked at");
  }
  const file = await openManifest(source);
  try {
    const manifest = parseManifest(await readAll(file, files.blocking), appId);
    if (isUnchanged(file)) memory.remember(path, file.stat, manifest);
    return manifest;
  } finally {
    file.close();
  }
}

// --- internal ---

function isUnchanged(file: OpenedFile): boolean {
  const { stat } = file;
  const now = file.statNow();
  return now.size === stat.size && now.mtimeMs === stat.mtimeMs && now.ctimeMs === stat.ctimeMs;
}

async function openManifest(source: FileSource): Promise<OpenedFile> {
  try {
    return (await source.open([MANIFEST_NAME])).file;
  } catch (error) {
    if (!(error instanceof Fault) || error.code === "service_unavailable") throw error;
    throw manifestFault("is no readable file inside the app");
  }
}

async function readAll(file: OpenedFile, blocking: boolean): Promise<Uint8Array> {
  // One byte more than is allowed, to see that a file has grown.
  const bytes = new Uint8Array(Math.min(file.stat.size, MANIFEST_LIMIT) + 1);
  let length = 0;
  while (length < bytes.byteLength) {
    const view = bytes.subarray(length);
    const count = blocking ? file.readSync(view, length) : await file.read(view, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}
