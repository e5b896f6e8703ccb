/**
 * What an app's folder looks like at one moment, so that two moments can be compared.
 *
 * @module
 */

import { type FileStat, HostError, type HostFiles } from "../../host/types.ts";
import { isHidden } from "../asset_path.ts";

/** How much of a folder is looked at; what lies beyond is served, but not watched. */
export interface SnapshotLimits {
  readonly entries: number;
  readonly folders: number;
  /** Folders below one another. */
  readonly depth: number;
}

/** The limits in use. */
export const SNAPSHOT_LIMITS: SnapshotLimits = { entries: 10_000, folders: 1_000, depth: 32 };

/** A file as it was seen. */
export interface FileMark {
  /** Differs when the file's bytes may differ. */
  readonly mark: string;
  /** When it was changed last: ms since the epoch, by the file system's clock. */
  readonly changedMs: number;
}

/** A folder as it was seen; paths are below it, with `/`. */
export interface Snapshot {
  readonly files: ReadonlyMap<string, FileMark>;
  /** The folders with the root as `""`, each with what tells it from another one at its path. */
  readonly folders: ReadonlyMap<string, string>;
}

/** After so many entries other requests get their turn. */
const BATCH = 64;

/**
 * Looks at a folder and what lies below, breadth first, in the order of names. Links are looked at
 * and not followed; hidden files and what editors write while saving are passed over.
 *
 * @param root the folder's canonical path
 * @throws {HostError} when the root itself can't be listed
 */
export async function takeSnapshot(
  source: Pick<HostFiles, "list" | "lstat">,
  root: string,
  limits: SnapshotLimits = SNAPSHOT_LIMITS,
): Promise<Snapshot> {
  const files = new Map<string, FileMark>();
  const folders = new Map([["", identityOf(await source.lstat(root))]]);
  const turn = turns();
  let level = [""];
  for (let depth = 0; level.length > 0 && depth < limits.depth; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      for (const name of await namesIn(source, root, folder, limits.entries)) {
        if (files.size + folders.size >= limits.entries) return { files, folders };
        const path = folder === "" ? name : `${folder}/${name}`;
        await turn();
        const stat = await statOf(source, `${root}/${path}`);
        if (stat === null) continue;
        if (stat.kind !== "directory") files.set(path, markOf(stat));
        else if (folders.size < limits.folders) {
          folders.set(path, identityOf(stat));
          next.push(path);
        }
      }
    }
    level = next;
  }
  return { files, folders };
}

/** A digest of the files: equal on each look, and after a restart, while none of them changes. */
export async function versionOf({ files }: Snapshot): Promise<string> {
  const lines = [...files].map(([path, { mark }]) => `${path}\0${mark}`);
  const bytes = new TextEncoder().encode(lines.sort().join("\n"));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// --- internal ---

async function namesIn(
  source: Pick<HostFiles, "list">,
  root: string,
  folder: string,
  limit: number,
): Promise<readonly string[]> {
  try {
    const entries = await source.list(folder === "" ? root : `${root}/${folder}`, limit);
    return entries.map(({ name }) => name).filter((name) => !isPassedOver(name)).sort();
  } catch (error) {
    // Gone since it was listed, or not ours to read: then it isn't served either.
    if (folder !== "" && error instanceof HostError) return [];
    throw error;
  }
}

/** Files that editors write beside the one that is saved, and rename or remove then. */
function isPassedOver(name: string): boolean {
  return isHidden(name) || /~$|\.(?:tmp|swp|swx)$|___jb_(?:tmp|old)___$/.test(name);
}

async function statOf(source: Pick<HostFiles, "lstat">, path: string): Promise<FileStat | null> {
  try {
    return await source.lstat(path);
  } catch (error) {
    if (error instanceof HostError) return null;
    throw error;
  }
}

function markOf({ size, mtimeMs, ctimeMs, ino }: FileStat): FileMark {
  return { mark: `${size} ${mtimeMs} ${ctimeMs} ${ino}`, changedMs: Math.max(mtimeMs, ctimeMs) };
}

function identityOf({ dev, ino }: FileStat): string {
  return `${dev}:${ino}`;
}

/** Waits a turn of the event loop now and then. */
function turns(): () => Promise<void> | undefined {
  let count = 0;
  return () => ++count % BATCH === 0 ? new Promise((resolve) => setTimeout(resolve, 0)) : undefined;
}
