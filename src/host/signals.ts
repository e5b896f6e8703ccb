/**
 * Signals that a person or a supervisor sends.
 *
 * @module
 */

import process from "node:process";
import type { HostSignal } from "./types.ts";

/** Calls back on each arrival of a signal; returns a function that stops that. */
export function onSignal(signal: HostSignal, callback: () => void): () => void {
  process.on(signal, callback);
  return () => {
    process.off(signal, callback);
  };
}
