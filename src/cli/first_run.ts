/**
 * The home as a directory: made on the first run, checked on every one.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { HostError } from "../host/types.ts";
import { CliFailure, hostErrorWords } from "./failure.ts";
import { type HomePaths, homePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { writeApp } from "./write_app.ts";

/** The agent and the app that a new home begins with (`design.md` decision 18). */
export const FIRST_AGENT = "main";
/** See {@linkcode FIRST_AGENT}. */
export const FIRST_APP = "ping-card";

/** A home that can be used. */
export interface PreparedHome {
  readonly paths: HomePaths;
  /** Whether it was made just now. */
  readonly isNew: boolean;
}

/**
 * Makes the home where there is none yet, with its first agent and app.
 *
 * @throws {CliFailure} when it can't be used
 */
export async function prepareHome(io: CliIo, flag: string | undefined): Promise<PreparedHome> {
  const wanted = await homePaths(io, flag);
  const isNew = await isUnused(io, wanted);
  if (!isNew) return { paths: wanted, isNew };
  const { files } = io.host;
  try {
    await files.makeDirectory(wanted.home, 0o700);
    // Only now do all links in the path resolve.
    const paths = await homePaths(io, wanted.home);
    await files.makeDirectory(join(paths.agents, FIRST_AGENT), 0o700);
    await writeApp({
      files,
      appsFolder: join(paths.agents, FIRST_AGENT, "apps"),
      id: FIRST_APP,
      template: "ping-card",
    });
    return { paths, isNew };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new CliFailure(`the home ${wanted.home} can't be made: ${hostErrorWords(error)}`, {
      hint: `Make sure that you may write to ${dirname(wanted.home)}, or give --home DIR.`,
      cause: error,
    });
  }
}

/** Whether the home has no `agents/` yet; one with only a `config.json` is new as well. */
async function isUnused(io: CliIo, { home, agents }: HomePaths): Promise<boolean> {
  try {
    const { kind } = await io.host.files.stat(home);
    if (kind !== "directory") throw new CliFailure(`the home ${home} is not a directory`);
    await io.host.files.lstat(agents);
    return false;
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === "not_found") return true;
    throw new CliFailure(`the home ${home} can't be used: ${hostErrorWords(error)}`, {
      cause: error,
    });
  }
}
