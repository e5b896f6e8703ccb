/**
 * Picks the adapter for the runtime that runs this code.
 *
 * @module
 */

import { type BunGlobal, createBunHost } from "./bun.ts";
import { createDenoHost, type DenoGlobal } from "./deno.ts";
import { createNodeHost } from "./node.ts";
import type { Host } from "./types.ts";

interface RuntimeGlobals {
  readonly Bun?: BunGlobal;
  readonly Deno?: DenoGlobal;
}

/** The host for Deno, Bun or Node, whichever this is. */
export function createHost(): Host {
  const { Bun, Deno } = globalThis as RuntimeGlobals;
  // Node's own globals are there on all three, so it comes last.
  if (Deno !== undefined) return createDenoHost(Deno);
  if (Bun !== undefined) return createBunHost(Bun);
  return createNodeHost();
}
