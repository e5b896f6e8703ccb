/**
 * Waiting for the word to stop.
 *
 * @module
 */

import process from "node:process";
import type { CliIo } from "./io.ts";

/** Exit code of a process that a second SIGINT ends, as shells count it. */
const INTERRUPTED = 130;

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
  let isStopping = false;
  let resolve: () => void = () => {};
  const requested = new Promise<void>((done) => resolve = done);
  const stop = (): void => {
    isStopping = true;
    resolve();
  };
  const interrupt = (): void => {
    if (isStopping) process.exit(INTERRUPTED);
    stop();
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
