/**
 * Folders of a home, for commands that work without a server.
 *
 * @module
 */

import { HostError } from "../host/types.ts";
import { isSegment } from "../identifiers.ts";
import { CliFailure, hostErrorWords } from "./failure.ts";
import type { CliIo } from "./io.ts";

const MAX_ENTRIES = 10_000;

/** The ids of the directories in a directory, sorted; none when it does not exist. */
export async function listDirectories(io: CliIo, path: string): Promise<readonly string[]> {
  try {
    const entries = await io.host.files.list(path, MAX_ENTRIES);
    return entries.filter(({ kind, name }) => kind === "directory" && isSegment(name))
      .map(({ name }) => name).sort();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === "not_found") return [];
    throw new CliFailure(`${path} can't be listed: ${hostErrorWords(error)}`, { cause: error });
  }
}
