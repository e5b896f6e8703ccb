/**
 * Who asks for what, as the client itself sees it: through a trusted proxy, its headers say so.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { ConnectionInfo } from "../host/types.ts";
import { parseForwarded } from "./forwarded.ts";
import { type HostAndPort, parseHost } from "./host_name.ts";
import { canonicalIp, type InRange, ipRange } from "./ip_address.ts";

/** A request's sender. */
export interface Client {
  /** The host that it addressed. */
  readonly host: HostAndPort;
  /** The scheme that it used; `null` where nobody who is trusted has said. */
  readonly scheme: "http" | "https" | null;
  /** Its IP address; `null` on a Unix socket, and without a listener. */
  readonly address: string | null;
}

/** Headers that a proxy adds: behind one, a loopback peer proves nothing. */
const PROXY_HEADERS = /^(forwarded|via|x-forwarded-.*|x-real-ip|tailscale-.*)$/;

/** Whether a request has a header that only proxies send, trusted or not. */
export function isProxied(request: Request): boolean {
  for (const name of request.headers.keys()) if (PROXY_HEADERS.test(name)) return true;
  return false;
}

/**
 * Tells who sends a request (`design.md` decision 14). Forwarding headers count only where the
 * connection itself comes from a trusted proxy.
 *
 * @param proxies addresses and CIDR ranges of trusted proxies, from the settings
 * @throws {Fault} `misdirected_host` where no host is named, `bad_request` for headers of a trusted
 * proxy that can't be understood or contradict each other
 */
export function clientOf(
  request: Request,
  info: ConnectionInfo | null,
  proxies: readonly string[],
): Client {
  const direct = { scheme: null, address: info?.peer?.address ?? null };
  if (info?.transport === "unix") return { ...direct, host: { name: "localhost", port: null } };
  const inProxies = rangeOf(proxies);
  const said = inProxies(direct.address) ? saidByProxy(request.headers, inProxies) : null;
  const sent = parseHost(info === null ? new URL(request.url).host : info.host ?? "");
  const host = said?.host ?? sent;
  if (host === null) {
    throw new Fault("misdirected_host", "Holon does not answer to the host without a name", {
      hint: "Send a Host header.",
    });
  }
  if (said === null) return { ...direct, host };
  return { host, scheme: said.scheme, address: said.address ?? direct.address };
}

// --- internal ---

interface Said {
  readonly host: HostAndPort | null;
  readonly scheme: "http" | "https" | null;
  readonly address: string | null;
}

const RANGES = new WeakMap<readonly string[], InRange>();
const IN_NONE: InRange = () => false;

/** The settings' list stays the same one until they are changed. */
function rangeOf(proxies: readonly string[]): InRange {
  if (proxies.length === 0) return IN_NONE;
  let range = RANGES.get(proxies);
  if (range === undefined) RANGES.set(proxies, range = ipRange(proxies));
  return range;
}

/** What the proxy says; where it says it in both ways, both have to say the same. */
function saidByProxy(headers: Headers, inProxies: InRange): Said {
  const elements = parseForwarded(headers.get("forwarded") ?? "");
  if (elements === null) throw malformed("Forwarded");
  const last = elements.at(-1);
  const chain = listOf(headers.get("x-forwarded-for")) ?? [];
  const forwardedChain = elements.flatMap((element) => element.for ?? []);
  return {
    host: agreed("host", hostOf(headers.get("x-forwarded-host")), hostOf(last?.host ?? null)),
    scheme: agreed(
      "scheme",
      schemeOf(headers.get("x-forwarded-proto")),
      schemeOf(last?.proto ?? null),
    ),
    address: agreed("client", nearest(chain, inProxies), nearest(forwardedChain, inProxies)),
  };
}

/** The proxy that is connected here adds its own word at the end of a list. */
function listOf(value: string | null): readonly string[] | null {
  return value === null ? null : value.split(",").map((item) => item.trim());
}

function hostOf(value: string | null): HostAndPort | null {
  const last = listOf(value)?.at(-1);
  if (last === undefined) return null;
  const host = parseHost(last);
  if (host === null) throw malformed("host");
  return host;
}

function schemeOf(value: string | null): "http" | "https" | null {
  const last = listOf(value)?.at(-1)?.toLowerCase();
  if (last === undefined) return null;
  // As proxies say it of WebSocket handshakes.
  if (last === "http" || last === "ws") return "http";
  if (last === "https" || last === "wss") return "https";
  throw malformed("scheme");
}

/**
 * What both ways of saying it come to. A proxy that knows one of them passes the other on as the
 * client sent it, so that neither may be preferred.
 */
function agreed<T>(what: string, one: T | null, other: T | null): T | null {
  if (one === null || other === null) return one ?? other;
  if (JSON.stringify(one) === JSON.stringify(other)) return one;
  throw new Fault(
    "bad_request",
    `Forwarded and X-Forwarded-* name different ones for the ${what}`,
    {
      hint: "Let the proxy remove the header that it does not set itself.",
    },
  );
}

/**
 * The last address in a chain, each as the proxy after it saw it, that is no trusted proxy's: what is
 * before it, anyone may claim.
 */
function nearest(chain: readonly string[], inProxies: InRange): string | null {
  let known: string | null = null;
  for (const hop of chain.toReversed()) {
    const address = addressOf(hop);
    if (address === null) return known;
    known = address;
    if (!inProxies(address)) return known;
  }
  return known;
}

/** An address that may have brackets and a port; `null` for `unknown` and names. */
function addressOf(hop: string): string | null {
  return canonicalIp(hop) ?? canonicalIp(parseHost(hop)?.name ?? "");
}

function malformed(what: string): Fault {
  return new Fault("bad_request", `The proxy's ${what} header can't be understood`, {
    hint: "Let it send X-Forwarded-For, X-Forwarded-Host and X-Forwarded-Proto.",
  });
}
