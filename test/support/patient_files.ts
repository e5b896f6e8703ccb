/**
 * Files without `/proc`, for tests that run beside others.
 *
 * @module
 */

import type { HostFiles } from "../../src/host/types.ts";

/** How long other tests may go on making folders beside one's own, in ms. */
const PATIENCE_MS = 30_000;

/**
 * Lets files open again what seemed to be moved: the proof that does without `/proc` can't tell a
 * folder above that only got a new entry from one on the way that was swapped.
 */
export function patientFiles(files: HostFiles): HostFiles {
  const openOnce = files.openCanonical.bind(files);
  const openCanonical: HostFiles["openCanonical"] = async (path) => {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await openOnce(path);
      } catch (error) {
        if ((error as { code?: string }).code !== "moved") throw error;
        if (performance.now() > deadline) throw error;
      }
    }
  };
  return Object.assign(files, { openCanonical });
}
