/**
 * What `holon serve` does besides when `holon daemon start` started it: it logs into a file, tells
 * of itself in `run/daemon.json`, and stays when a terminal goes.
 *
 * @module
 */

import { join } from "node:path";
import process from "node:process";
import type { RuntimeStatus } from "../../config/routes.ts";
import { thisProcess } from "../../host/known_process.ts";
import { createRotatingFile } from "../../host/rotating_file.ts";
import type { ServeCommand } from "../command.ts";
import { type HomePaths, homePaths } from "../home.ts";
import type { CliIo } from "../io.ts";
import { type KeptOptions, LOG_LIMITS, serveArguments, STATE, writeState } from "./state_files.ts";

/** Set in the environment of a daemon's process. */
export const CHILD_VARIABLE = "HOLON_DAEMON_CHILD";

/** The daemon's own part of serving. */
export interface DaemonChild {
  /** The world of the command, with the log going into the file. */
  readonly io: CliIo;
  /** Writes `daemon.json`; gives a sentence for the log where it can't be written. */
  record(paths: HomePaths, status: RuntimeStatus): Promise<string | null>;
}

/** `null` for a server that a person or a service manager started. */
export async function daemonChild(command: ServeCommand, io: CliIo): Promise<DaemonChild | null> {
  if (io.env[CHILD_VARIABLE] !== "1") return null;
  const { run } = await homePaths(io, command.home);
  try {
    // Nobody is to read what it makes.
    process.umask(0o077);
  } catch {
    // Deno's permissions may refuse it; files of ours have exact modes anyway.
  }
  io.host.onSignal("SIGHUP", () => {});
  const file = createRotatingFile({ path: join(run, STATE.log), ...LOG_LIMITS });
  return {
    io: { ...io, writeLog: (bytes) => file.write(bytes) },
    async record(paths, status) {
      const options = keptOptions(command);
      try {
        await writeState(io.host.files, paths.run, STATE.daemon, {
          pid: status.pid,
          process_start: thisProcess().startTime,
          home_dir: paths.home,
          socket_path: paths.socket,
          http_addr: status.http_addr,
          started_at: status.started_at,
          version: status.version,
          runtime: status.runtime,
          config_fingerprint: status.config_fingerprint,
          serve_args: serveArguments(options),
          options,
          control_token_env_configured: status.startup_surface.token_source === "inline",
          http_addr_env: io.env.HOLON_HTTP_ADDR || undefined,
        });
        return null;
      } catch {
        return "run/daemon.json can't be written, so `holon daemon restart` won't know the " +
          "options of this start: remove what is there, or make room on the disk";
      }
    },
  };
}

/** What is kept of the options of a start. */
export function keptOptions(command: KeptOptions): KeptOptions {
  const { access, host, listen, port, advertise, callbackBaseUrl, tokenFile, log } = command;
  return { access, host, listen, port, advertise, callbackBaseUrl, tokenFile, log };
}
