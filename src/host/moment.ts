/**
 * Requests that were received together, and what was looked up for them since.
 *
 * A look at the file system answers for every request that had come in before it was made: what its
 * sender did before it asked can be seen by then. So the requests that come in within one turn of
 * the event loop are begun together, and what one of them finds the others need not look for. A look
 * is never used for a request that comes in later.
 *
 * @module
 */

import type { DescriptorFile } from "./opened_file.ts";
import type { FileStat } from "./types.ts";

/** One turn's looks at the file system. */
export class Moment {
  readonly #stats = new Map<string, FileStat | null>();
  readonly #files = new Map<string, DescriptorFile>();

  /** Metadata of a path, looked up by the first who asks. */
  stat(path: string, look: (path: string) => FileStat | null): FileStat | null {
    let stat = this.#stats.get(path);
    if (stat === undefined) this.#stats.set(path, stat = look(path));
    return stat;
  }

  /**
   * An open file, opened by the first who asks; each closes its own. One that all have closed is
   * opened again.
   */
  open(path: string, open: (path: string) => DescriptorFile | null): DescriptorFile | null {
    const shared = this.#files.get(path)?.share() ?? null;
    if (shared !== null) return shared;
    const file = open(path);
    if (file !== null) this.#files.set(path, file);
    return file;
  }
}
