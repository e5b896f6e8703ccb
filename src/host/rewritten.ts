/**
 * Whether a file is still the version whose size and validators were sent.
 *
 * @module
 */

import type { OpenedFile } from "./types.ts";

/**
 * Tells whether an open file was rewritten or cut off since it was opened, so that what was read
 * last may be of another version. One that has only grown counts as the same: logs and recordings
 * do, and what they were is still there. A file that another was renamed over doesn't change.
 *
 * Asked right after a read, so that a network disk has the answer at hand.
 */
export function isRewritten(file: OpenedFile): boolean {
  const { size, mtimeMs } = file.statNow();
  if (size < file.stat.size) return true;
  return mtimeMs !== file.stat.mtimeMs && size === file.stat.size;
}
