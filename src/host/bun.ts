/**
 * Holon's host on Bun.
 *
 * @module
 */

import { createHostFrom } from "./adapter.ts";
import type { Host } from "./types.ts";

/** The part of Bun's global that is needed here. */
export interface BunGlobal {
  readonly version: string;
}

/** The host on Bun. */
export function createBunHost(bun: BunGlobal): Host {
  return createHostFrom({ runtime: "bun", version: bun.version, ctimeStepMs: 1 });
}
