/**
 * Holon's host on Deno.
 *
 * @module
 */

import { createHostFrom } from "./adapter.ts";
import { type Host, HostError, type ListenAddress } from "./types.ts";

/** The part of Deno's global that is needed here. */
export interface DenoGlobal {
  readonly version: { readonly deno: string };
  readonly permissions: {
    querySync(descriptor: { readonly name: "net"; readonly host?: string }): {
      readonly state: string;
    };
  };
}

/** The host on Deno, under whatever permissions it was given. */
export function createDenoHost(deno: DenoGlobal): Host {
  return createHostFrom({
    runtime: "deno",
    version: deno.version.deno,
    ctimeStepMs: 1000,
    requireListen: (address) => requireListen(deno, address),
  });
}

/** A listen that Deno denies is an uncaught error there, out of reach of the caller. */
function requireListen(deno: DenoGlobal, address: ListenAddress): void {
  if (address.transport !== "tcp") return;
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  const { state } = deno.permissions.querySync({ name: "net", host: `${host}:${address.port}` });
  if (state === "granted") return;
  throw new HostError(
    "denied",
    `Deno does not allow listening on ${host}:${address.port}; start it with --allow-net`,
  );
}
