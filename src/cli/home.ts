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

/**
 * Makes sure that a home is there, for commands that list what is in it.
 *
 * @throws {CliFailure} that says how one is made
 */
export async function requireHome(io: CliIo, { home }: HomePaths): Promise<void> {
  try {
    await io.host.files.stat(home);
  } catch (error) {
    if (!(error instanceof HostError) || error.code !== "not_found") return;
    throw new CliFailure(`There is no home at ${home}`, {
      hint: "Make it with `holon serve` or `holon daemon start`, or name another one with " +
        "--home DIR.",
      cause: error,
    });
  }
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
