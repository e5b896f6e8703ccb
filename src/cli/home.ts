/**
 * Which home a command is about, and what lies where in it.
 *
 * @module
 */

import { isAbsolute, join, resolve } from "node:path";
import { configPath } from "../config/file.ts";
import { HostError } from "../host/types.ts";
import { CliFailure, EXIT, hostErrorWords } from "./failure.ts";
import type { CliIo } from "./io.ts";

/** The paths of a home. */
export interface HomePaths {
  readonly home: string;
  readonly config: string;
  readonly agents: string;
  readonly run: string;
  readonly socket: string;
  readonly database: string;
}

/**
 * Resolves the home: `--home`, else `HOLON_HOME`, else `~/.holon`.
 *
 * @throws {CliFailure} when none of them says where
 */
export function resolveHome(io: CliIo, flag: string | undefined): string {
  const given = flag ?? io.env.HOLON_HOME;
  if (given !== undefined && given !== "") return resolve(io.cwd, given);
  if (flag === "") throw new CliFailure("--home is empty", { exitCode: EXIT.usage });
  const user = io.env.HOME ?? io.env.USERPROFILE;
  if (user === undefined || !isAbsolute(user)) {
    throw new CliFailure("there is no HOME in the environment, so the home is not known", {
      hint: "Give it with --home DIR, or set HOLON_HOME.",
    });
  }
  return join(user, ".holon");
}

/** The paths of a home, below its canonical name where it exists already. */
export async function homePaths(io: CliIo, flag: string | undefined): Promise<HomePaths> {
  const home = await canonical(io, resolveHome(io, flag));
  return {
    home,
    config: configPath(home),
    agents: join(home, "agents"),
    run: join(home, "run"),
    socket: join(home, "run", "holon.sock"),
    database: join(home, "holon.db"),
  };
}

async function canonical(io: CliIo, path: string): Promise<string> {
  try {
    return await io.host.files.realpath(path);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (error.code === "not_found") return path;
    throw new CliFailure(`the home ${path} can't be used: ${hostErrorWords(error)}`, {
      cause: error,
    });
  }
}
