/**
 * Compiles the clients that are written in C.
 *
 * @module
 */

import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Compiles `<name>.c` into a folder; gives the program's path, `null` without a compiler. */
export function compile(name: string, directory: string): string | null {
  const program = join(directory, name);
  const source = join(import.meta.dirname, `${name}.c`);
  try {
    execFileSync("cc", ["-O2", "-o", program, source], { stdio: "pipe" });
    return program;
  } catch {
    return null;
  }
}
