/**
 * The listener's time-outs and limits (`design.md` decision 20).
 *
 * @module
 */

import type { ListenerLimits } from "../types.ts";

/** What holds unless {@linkcode ListenOptions.limits} says otherwise. */
export const DEFAULT_LIMITS: ListenerLimits = {
  headersTimeoutMs: 15_000,
  bodyTimeoutMs: 30_000,
  sendTimeoutMs: 60_000,
  sendMinimumBytes: 64 * 1024,
  keepAliveTimeoutMs: 75_000,
  maxHeaderBytes: 16 * 1024,
  maxHeaderLines: 128,
  maxTargetBytes: 8 * 1024,
  maxConnections: 2048,
};
