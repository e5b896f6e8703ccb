/**
 * `holon version`.
 *
 * @module
 */

import { openServer } from "./client/server.ts";
import type { PlainServerCommand } from "./command.ts";
import { EXIT } from "./failure.ts";
import type { CliIo } from "./io.ts";
import { printJson } from "./output.ts";
import { VERSION } from "../version.ts";

/** Prints the version of Holon and of the runtime below it; with `--connect` that server's, too. */
export async function version(command: PlainServerCommand, io: CliIo): Promise<number> {
  const { runtime, version } = io.host;
  const remote = command.connect !== undefined || command.tokenProfile !== undefined ||
      command.token !== undefined || command.tokenFile !== undefined
    ? await openServer(command, { ...io, err: () => {} })
    : null;
  const server = remote?.kind === "remote"
    ? { url: remote.connection.url, version: remote.handshake.version }
    : null;
  if (command.json) {
    printJson(io, {
      version: VERSION,
      runtime,
      runtime_version: version,
      ...(server === null ? {} : { server }),
    });
  } else {
    io.out(`holon ${VERSION} (${runtime} ${version})\n`);
    if (server !== null) io.out(`${server.url} runs holon ${server.version ?? "?"}\n`);
  }
  return EXIT.ok;
}
