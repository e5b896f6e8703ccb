/**
 * Waiting for the word to stop.
 *
 * @module
 */

import process from "node:process";
import type { CliIo } from "./io.ts";

/** Exit code of a process that a second SIGINT ends, as shells count it. */
const INTERRUPTED = 130;

/** One Ctrl-C may come twice, from the terminal and from npm; that is no second one, in ms. */
const ECHO_MS = 500;

/** The word to stop: from a signal, a key, the control API, or a test. */
export interface StopRequest {
  readonly requested: Promise<void>;
  /** Asks for it. A second SIGINT or key ends the process at once. */
  stop(): void;
  /** Gives the signals back. */
  dispose(): void;
}

/** Listens to SIGINT and SIGTERM from now on. */
export function listenToStop(io: CliIo): StopRequest {
  const { clock } = io.host;
  let stoppedAt: number | null = null;
  let resolve: () => void = () => {};
  const requested = new Promise<void>((done) => resolve = done);
  const stop = (): void => {
    stoppedAt ??= clock.monotonic();
    resolve();
  };
  const interrupt = (): void => {
    if (stoppedAt === null) stop();
    else if (clock.monotonic() - stoppedAt > ECHO_MS) process.exit(INTERRUPTED);
  };
  const disposers = [
    io.host.onSignal("SIGINT", interrupt),
    io.host.onSignal("SIGTERM", stop),
  ];
  if (io.stop?.aborted === true) stop();
  io.stop?.addEventListener("abort", stop);
  return {
    requested,
    stop: interrupt,
    dispose() {
      disposers.forEach((dispose) => dispose());
      io.stop?.removeEventListener("abort", stop);
    },
  };
}
