/**
 * `holon version`.
 *
 * @module
 */

import type { PlainCommand } from "./command.ts";
import { EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { printJson } from "./output.ts";
import { VERSION } from "../version.ts";

/** Prints the version of Holon and of the runtime below it. */
export function version(command: PlainCommand, io: CliIo): number {
  const { runtime, version } = io.host;
  if (command.json) printJson(io, { version: VERSION, runtime, runtime_version: version });
  else io.out(`holon ${VERSION} (${runtime} ${version})\n`);
  return EXIT.ok;
}
