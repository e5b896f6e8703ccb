/**
 * Holon's host on Node.
 *
 * @module
 */

import process from "node:process";
import { createHostFrom } from "./adapter.ts";
import type { Host } from "./types.ts";

/** The host on Node 24 or newer. */
export function createNodeHost(): Host {
  return createHostFrom({
    runtime: "node",
    version: process.versions.node,
    ctimeStepMs: 1,
  });
}
