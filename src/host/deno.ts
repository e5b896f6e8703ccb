/**
 * Holon's host on Deno.
 *
 * @module
 */

import process from "node:process";
import { createHostFrom } from "./adapter.ts";
import { mayListen } from "./deno_permissions.ts";
import { watchFolderOnDeno } from "./deno_watch.ts";
import { type Host, HostError, type ListenAddress } from "./types.ts";

/** The part of Deno's global that is needed here. */
export interface DenoGlobal {
  readonly version: { readonly deno: string };
  readonly stderr: { write(bytes: Uint8Array): Promise<number> };
}

/** The host on Deno, under whatever permissions it was given. */
export function createDenoHost(deno: DenoGlobal): Host {
  surviveFileSizeLimit();
  return createHostFrom({
    runtime: "deno",
    version: deno.version.deno,
    ctimeStepMs: 1000,
    requireListen,
    // Its `node:fs` would wait for a reader and hold everything up.
    writeStderr: (bytes) => deno.stderr.write(bytes),
    watch: watchFolderOnDeno,
  });
}

let survivesFileSizeLimit = false;

/**
 * A write past the limit on files' sizes (`ulimit -f`) ends Deno by SIGXFSZ; with a handler it fails
 * by `EFBIG`, as on Node and Bun, and the request is refused. Deno's listeners hold no program up.
 */
function surviveFileSizeLimit(): void {
  if (survivesFileSizeLimit) return;
  survivesFileSizeLimit = true;
  process.on("SIGXFSZ", () => {});
}

function requireListen(address: ListenAddress): void {
  const host = address.transport === "unix"
    ? `unix:${address.path}`
    : `${address.host.includes(":") ? `[${address.host}]` : address.host}:${address.port}`;
  if (mayListen(host)) return;
  throw new HostError(
    "denied",
    `Deno does not allow listening on ${host}; start it with --allow-net=${host}`,
  );
}
