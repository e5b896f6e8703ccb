/**
 * Manifests that were read and validated, each good for as long as its file is what it was.
 *
 * @module
 */

import type { Clock, FileStat } from "../host/types.ts";
import { isSettled } from "../http/entity_tag.ts";
import type { AppManifest } from "./types.ts";

/** Remembers manifests by the path and the metadata of their files. */
export interface ManifestMemory {
  /** The manifest that a file held when it had this metadata; `null` when that isn't known. */
  recall(path: string, stat: FileStat): AppManifest | null;
  /**
   * @param stat metadata of the open file, the same before and after it was read
   */
  remember(path: string, stat: FileStat, manifest: AppManifest): void;
}

/** For those who look once. */
export const NO_MEMORY: ManifestMemory = { recall: () => null, remember: () => {} };

const MAX_MANIFESTS = 1024;

/**
 * Makes a memory. Within two seconds of a change metadata can't tell of a second one, so a manifest
 * is remembered only once its file has rested for that long.
 */
export function createManifestMemory(clock: Pick<Clock, "now">): ManifestMemory {
  const known = new Map<string, { readonly stat: FileStat; readonly manifest: AppManifest }>();
  return {
    recall(path, stat) {
      const entry = known.get(path);
      return entry !== undefined && isSame(entry.stat, stat) ? entry.manifest : null;
    },
    remember(path, stat, manifest) {
      known.delete(path);
      if (!isSettled(stat, clock.now())) return;
      const [oldest] = known.keys();
      if (oldest !== undefined && known.size >= MAX_MANIFESTS) known.delete(oldest);
      known.set(path, { stat, manifest });
    },
  };
}

/** Whether nothing was done to a file since: a change of its rights counts, too. */
function isSame(one: FileStat, other: FileStat): boolean {
  return one.ctimeMs === other.ctimeMs && one.mtimeMs === other.mtimeMs &&
    one.size === other.size && one.ino === other.ino && one.dev === other.dev &&
    one.kind === other.kind;
}
