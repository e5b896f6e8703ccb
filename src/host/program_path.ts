/**
 * Finds a program the way a shell does. The runtimes differ in whether they search the PATH of the
 * new environment or their own.
 *
 * @module
 */

import { accessSync, constants, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { mayRead } from "./deno_permissions.ts";
import { hostError } from "./host_error.ts";
import { HostError } from "./types.ts";

/**
 * The absolute path of a program; its name as it is, for the runtime to look up, when Deno's
 * permissions hide where it may be.
 *
 * @param cwd what relative names with a slash, and relative entries of `path`, start from
 * @throws {HostError} `not_found`, or `denied` when all that was found may not be run
 */
export function findProgram(program: string, cwd: string, path: string): string {
  const candidates = program.includes("/")
    ? [resolve(cwd, program)]
    : path.split(":").map((folder) => resolve(cwd, join(folder, program)));
  let denied: HostError | null = null;
  let hidden = false;
  for (const candidate of candidates) {
    if (!mayRead(candidate)) {
      hidden = true;
      continue;
    }
    try {
      if (!statSync(candidate).isFile()) continue;
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch (error) {
      const failure = hostError(error, `Looking for ${program}`);
      if (failure.code === "denied") denied ??= failure;
    }
  }
  if (hidden) return program;
  throw denied ?? new HostError("not_found", `There is no program "${program}" on the PATH`);
}
