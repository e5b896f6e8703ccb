/**
 * The clock of the machine.
 *
 * @module
 */

import { performance } from "node:perf_hooks";
import type { Clock } from "./types.ts";

/** The wall clock, and a steady one beside it. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
