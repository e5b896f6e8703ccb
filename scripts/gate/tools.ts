/**
 * Where the project's own programs are: the runtimes and tools that `npm ci` installed.
 *
 * @module
 */

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder. */
export const ROOT: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The runtimes that every portable test runs on. */
export const RUNTIMES = ["node", "bun", "deno"] as const;

/** One of {@linkcode RUNTIMES}. */
export type Runtime = typeof RUNTIMES[number];

/** A program that `npm ci` put into `node_modules/.bin`. */
export type Tool = Runtime | "esbuild" | "tsc";

/** The path of an installed program. */
export function toolPath(tool: Tool): string {
  return join(ROOT, "node_modules", ".bin", tool);
}

/** The programs that are missing, most often because `npm ci` was not run. */
export function missingTools(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter((tool) => !existsSync(toolPath(tool)));
}
