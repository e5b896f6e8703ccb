/**
 * Where a device that is paired has to come, and what to know before it does.
 *
 * @module
 */

import type { Client } from "../http/client.ts";
import { type HostAndPort, isLoopbackName, parseHost } from "../http/host_name.ts";
import { isSecure } from "./secure.ts";

/** How the server is reached, as far as it knows. */
export interface KnownReach {
  /** Addresses that it listens on, as `host:port`. */
  readonly listen: readonly string[];
  /** What clients are told to dial; `null` where nothing was said. */
  readonly advertise_url: string | null;
}

/** An address for another device. */
export interface PairingAddress {
  /** Without a slash at the end. */
  readonly base: string;
  /** Whether another device can come there at all. */
  readonly reachable: boolean;
  /** Whether nobody on the way can read along. */
  readonly encrypted: boolean;
  /** What a person should know first, as sentences. */
  readonly notes: readonly string[];
}

const UNREACHABLE =
  "Only this machine reaches this server, so a phone can't. Start it for your network: " +
  "holon serve --access lan --host ADDRESS --token-file FILE (or --access tailnet).";
const UNKNOWN =
  "This server listens on every address of this machine and doesn't know at which one a phone " +
  "reaches it. Start it with --advertise http://ADDRESS:PORT.";
const TOKENLESS = "This server asks for no token, so there is nothing to sign in to.";
const PLAIN =
  "The connection isn't encrypted (plain HTTP): anyone on the same network can read along, and use " +
  "what the code opens. Do this on a network that you trust, or through a tailnet or a TLS proxy.";

/**
 * The advertised URL, else the address that the asking client itself came to, else one that the
 * server listens on; of those, the first that is not this machine's alone.
 *
 * @param client who asks for the code
 * @param reach `null` where Holon doesn't listen itself
 */
export function pairingAddress(
  client: Client,
  reach: KnownReach | null,
  tokenRequired: boolean,
): PairingAddress {
  const advertised = reach?.advertise_url ?? null;
  const own = `${isSecure(client, advertised) ? "https" : "http"}://${authorityOf(client.host)}`;
  const candidates = [advertised, own, ...(reach?.listen ?? []).map((at) => `http://${at}`)]
    .filter((url) => url !== null);
  const base = candidates.find((url) => isForOthers(url));
  const isWild = (reach?.listen ?? []).some((at) => isWildcard(parseHost(at)?.name ?? ""));
  const notes = [
    ...(tokenRequired ? [] : [TOKENLESS]),
    ...(base === undefined ? [isWild ? UNKNOWN : UNREACHABLE] : []),
    ...(base?.startsWith("http:") ? [PLAIN] : []),
  ];
  return {
    base: (base ?? loopbackOf(candidates, own)).replace(/\/+$/, ""),
    reachable: base !== undefined,
    encrypted: base?.startsWith("https:") ?? false,
    notes,
  };
}

// --- internal ---

function hostOf(url: string): HostAndPort | null {
  return URL.canParse(url) ? parseHost(new URL(url).host) : null;
}

function isForOthers(url: string): boolean {
  const name = hostOf(url)?.name;
  return name !== undefined && !isLoopbackName(name) && !name.endsWith(".localhost") &&
    !isWildcard(name);
}

function isWildcard(name: string): boolean {
  return name === "0.0.0.0" || name === "::";
}

/** Over the socket the client's own address says nothing: the listener's has the port. */
function loopbackOf(candidates: readonly string[], own: string): string {
  const withPort = candidates.find((url) => {
    const host = hostOf(url);
    return host !== null && host.port !== null && !isWildcard(host.name);
  });
  return withPort ?? own;
}

function authorityOf({ name, port }: HostAndPort): string {
  const host = name.includes(":") ? `[${name}]` : name;
  return port === null ? host : `${host}:${port}`;
}
