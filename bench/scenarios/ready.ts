/**
 * Time from the start of the process to the line that says that it listens.
 *
 * @module
 */

import type { Scenario } from "./types.ts";

/** Starts on a new home, which also makes the home. */
export const READY: Scenario = {
  id: "ready",
  title: "Start to ready",
  async run({ start }) {
    const started = performance.now();
    const server = await start();
    const ready = performance.now() - started;
    server.resetPeak();
    const peak = server.peak() ?? Number.NaN;
    await server.stop();
    return { "ready ms": ready, "resident MiB": peak };
  },
};
