/**
 * Where the program begins: before anything is loaded that an older runtime lacks.
 *
 * @module
 */

import { realpathSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { runtimeProblem } from "./runtime_check.ts";

/** What is known of the module that was started. */
export interface EntryModule {
  /** Absent before Node 24.2. */
  readonly main?: boolean;
  readonly url: string;
}

/**
 * Runs the CLI when the module was started as a program; does nothing when it was imported.
 *
 * The exit is explicit, since an open keep-alive connection would hold the process.
 */
export async function runAsProgram(module: EntryModule): Promise<void> {
  if (!isProgram(module)) return;
  const problem = runtimeProblem();
  if (problem !== null) {
    process.stderr.write(`${problem}\n`, () => process.exit(1));
    return;
  }
  const [{ main }, { createHost }, { flushOutput, processIo }] = await Promise.all([
    import("./main.ts"),
    import("../host/current.ts"),
    import("./io.ts"),
  ]);
  const exitCode = await main(process.argv.slice(2), processIo(createHost()));
  await flushOutput();
  process.exit(exitCode);
}

function isProgram({ main, url }: EntryModule): boolean {
  if (main !== undefined) return main;
  const started = process.argv[1];
  if (started === undefined || !url.startsWith("file:")) return false;
  try {
    return realpathSync(started) === realpathSync(fileURLToPath(url));
  } catch {
    return false;
  }
}
