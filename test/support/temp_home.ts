/**
 * Temporary directories for tests.
 *
 * @module
 */

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory that {@linkcode TempDirectory.remove} takes away again. */
export interface TempDirectory {
  readonly path: string;
  remove(): void;
}

/** Makes an empty directory (0700), by default under the system's temporary directory. */
export function tempDirectory(parent: string = tmpdir()): TempDirectory {
  const path = mkdtempSync(join(parent, "holon-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Makes an empty directory where nothing else comes and goes: the proof that does without `/proc`
 * waits for the folders above to be still, and beside other tests the usual place never is.
 */
export function quietTempDirectory(): TempDirectory {
  return tempDirectory(existsSync("/var/tmp") ? "/var/tmp" : tmpdir());
}
