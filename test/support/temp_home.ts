/**
 * Temporary directories for tests.
 *
 * @module
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory that {@linkcode TempDirectory.remove} takes away again. */
export interface TempDirectory {
  readonly path: string;
  remove(): void;
}

/** Makes an empty directory (0700) under the system's temporary directory. */
export function tempDirectory(): TempDirectory {
  const path = mkdtempSync(join(tmpdir(), "holon-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
