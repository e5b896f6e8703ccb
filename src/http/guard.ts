/**
 * The checks that come before any route: which Host, and which site a browser's request is from.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { ConnectionInfo } from "../host/types.ts";
import type { Client } from "./client.ts";
import { isIpAddress, isLoopbackName, parseHost } from "./host_name.ts";

/** What the operator allows; read per request, so that a reload takes effect. */
export interface GuardPolicy {
  /** Names besides loopback ones that Holon answers to, without ports. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call Holon, e.g. `https://lab.example`. */
  readonly trustedOrigins: readonly string[];
  /** Addresses and CIDR ranges of proxies whose forwarding headers are believed. */
  readonly trustedProxies: readonly string[];
}

/**
 * Refuses a request to a host that is not Holon's (`design.md` decision 14).
 *
 * @throws {Fault} `misdirected_host` (421) when Holon is not known by that name
 */
export function requireHost(
  { host: { name } }: Pick<Client, "host">,
  info: ConnectionInfo | null,
  policy: Pick<GuardPolicy, "allowedHosts">,
): void {
  if (isLoopbackName(name)) return;
  if (policy.allowedHosts.some((allowed) => parseHost(allowed)?.name === name)) return;
  if (isIpAddress(name) && info?.local?.address === name) return;
  throw new Fault("misdirected_host", `Holon does not answer to the host ${name}`, {
    // The command would replace names that are there.
    hint: policy.allowedHosts.length === 0
      ? `Run \`holon config set server.allowed_hosts ${name}\` if this name is yours.`
      : `Add ${name} to the setting server.allowed_hosts if this name is yours.`,
  });
}

/**
 * Refuses what another site's page sends (`design.md` decision 15). The caller skips it for a
 * request with a valid bearer token.
 *
 * @throws {Fault} `csrf_origin_rejected` (403)
 */
export function requireSameSite(
  request: Request,
  client: Pick<Client, "host" | "scheme">,
  policy: Pick<GuardPolicy, "trustedOrigins">,
): void {
  const { headers } = request;
  const origin = headers.get("origin");
  if (origin !== null && origin !== "null" && policy.trustedOrigins.includes(origin)) return;
  const site = headers.get("sec-fetch-site");
  if ((site === "cross-site" || site === "same-site") && !isDocumentNavigation(request)) {
    throw rejected(origin ?? `a ${site} page`);
  }
  if (origin === null) return;
  if (origin === "null") {
    if (isUnsafe(request) || wantsEventStream(request)) throw rejected("a page without an origin");
    return;
  }
  if (!originMatches(origin, client)) throw rejected(origin);
}

// --- internal ---

function isUnsafe(request: Request): boolean {
  return !["GET", "HEAD", "OPTIONS"].includes(request.method);
}

function wantsEventStream(request: Request): boolean {
  return (request.headers.get("accept") ?? "").includes("text/event-stream");
}

function isDocumentNavigation({ method, headers }: Request): boolean {
  return (method === "GET" || method === "HEAD") &&
    headers.get("sec-fetch-mode") === "navigate" && headers.get("sec-fetch-dest") === "document";
}

/** Where nobody has said which scheme the client used, it may be either. */
function originMatches(origin: string, { host, scheme }: Pick<Client, "host" | "scheme">): boolean {
  const match = /^(https?):\/\/([^/?#@\\]+)$/i.exec(origin);
  const parsed = match === null ? null : parseHost(match[2] ?? "");
  if (match === null || parsed === null || parsed.name !== host.name) return false;
  const used = match[1]?.toLowerCase();
  if (scheme !== null && scheme !== used) return false;
  const schemePort = used === "https" ? 443 : 80;
  return (parsed.port ?? schemePort) === (host.port ?? schemePort);
}

function rejected(from: string): Fault {
  return new Fault("csrf_origin_rejected", `A request from ${from} is not allowed here`, {
    hint: "If that site is yours, add its origin to the setting server.trusted_origins.",
  });
}
