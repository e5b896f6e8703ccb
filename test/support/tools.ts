/**
 * Programs that a test needs from the machine, and what to say where they are missing.
 *
 * @module
 */

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

/** Nothing may be skipped: what is missing is a failure (`HOLON_REQUIRE_ALL=1`). */
export const requireAll: boolean = process.env["HOLON_REQUIRE_ALL"] === "1";

/** The path of a program of the machine, not one that npm installed; `undefined` if missing. */
export function findProgram(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
    .filter((folder) => folder !== "" && !folder.includes("node_modules"));
  for (const folder of [...folders, "/usr/sbin"]) {
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

/**
 * The `skip` of a test that needs a program: a reason that says how to install it, or `false`
 * where the program is there, or nothing may be skipped.
 */
export function skipWithout(program: string, debianPackage: string = program): string | false {
  if (requireAll || findProgram(program) !== undefined) return false;
  return `${program} is missing: apt-get install ${debianPackage}`;
}

/** Whether a package manager's output says that its registry can't be reached. */
export function isOffline(output: string): boolean {
  return /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|failed to lookup|error sending request|ConnectionRefused/
    .test(output);
}
