/**
 * The home of a command that looks at what a server left in it.
 *
 * @module
 */

import { HostError } from "../../host/types.ts";
import { CliFailure, hostErrorWords } from "../failure.ts";
import { type HomePaths, homePaths } from "../home.ts";
import type { CliIo } from "../io.ts";

/** Paths of a home, and whether a server may ever have run on it. */
export interface ReadableHome {
  readonly paths: HomePaths;
  readonly hasRun: boolean;
}

/**
 * Makes sure that this user may look into the home's `run/`, if it is there.
 *
 * @throws {CliFailure} for a home of somebody else
 */
export async function readableHome(io: CliIo, flag: string | undefined): Promise<ReadableHome> {
  const paths = await homePaths(io, flag);
  try {
    await io.host.files.list(paths.run, 1);
    return { paths, hasRun: true };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === "not_found") return { paths, hasRun: false };
    throw new CliFailure(`the home ${paths.home} can't be looked into: ${hostErrorWords(error)}`, {
      hint: "Run the command as the user that it belongs to, or give --home DIR.",
      cause: error,
    });
  }
}
