/**
 * Tells who sends a request.
 *
 * @module
 */

import type { ConnectionInfo } from "../host/types.ts";
import { type Client, isProxied } from "../http/client.ts";
import { isLoopbackAddress, isLoopbackName } from "../http/host_name.ts";
import type { Authenticate, Principal, RouteScope } from "../http/route.ts";
import { cookieName, cookieValues } from "./cookie.ts";
import { digestOf, equalDigests } from "./credential.ts";
import type { SessionService } from "./sessions.ts";

/** What the server itself knows. */
export interface AuthenticateOptions {
  /** The digest of the server's token; `null` where none was given. */
  readonly tokenDigest: string | null;
  readonly sessions: SessionService;
}

const EVERY_SCOPE: ReadonlySet<RouteScope> = new Set(["public", "read", "app", "control"]);
const NO_SCOPE: ReadonlySet<RouteScope> = new Set(["public"]);
const LOCAL: Principal = { kind: "local", scopes: EVERY_SCOPE, sessionId: null };
const TOKEN: Principal = { kind: "token", scopes: EVERY_SCOPE, sessionId: null };
const ANONYMOUS: Principal = { kind: "anonymous", scopes: NO_SCOPE, sessionId: null };

/**
 * Makes the check of `design.md` decision 13: nothing is needed on the Unix socket, nor from a
 * loopback peer that names a loopback host when no token was given and no proxy is in between.
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { tokenDigest, sessions } = options;

  async function bySession(credential: string): Promise<Principal | null> {
    const session = await sessions.find(credential);
    if (session === null) return null;
    const scopes = new Set<RouteScope>(["public", ...session.scopes as RouteScope[]]);
    return { kind: "session", scopes, sessionId: session.id };
  }

  async function byBearer(header: string | null): Promise<Principal | null> {
    const credential = bearerOf(header);
    if (credential === null) return null;
    if (tokenDigest !== null && equalDigests(await digestOf(credential), tokenDigest)) return TOKEN;
    return await bySession(credential);
  }

  async function byCookie(header: string | null, name: string): Promise<Principal | null> {
    for (const credential of cookieValues(header, name).slice(0, 8)) {
      const principal = await bySession(credential);
      if (principal !== null) return principal;
    }
    return null;
  }

  return async (request, info, client) => {
    // A proxy that has been given the socket speaks for others than its owner.
    if (info?.transport === "unix" && !isProxied(request)) {
      return { principal: LOCAL, byBearer: false };
    }
    const { headers } = request;
    const bearer = await byBearer(headers.get("authorization"));
    if (bearer !== null) return { principal: bearer, byBearer: true };
    if (tokenDigest === null && isDirectlyLocal(request, info, client)) {
      return { principal: LOCAL, byBearer: false };
    }
    const cookie = await byCookie(headers.get("cookie"), cookieName(client.host));
    return { principal: cookie ?? ANONYMOUS, byBearer: false };
  };
}

/** Whether a request comes from this machine itself: over loopback, and through no proxy. */
export function isFromThisMachine(request: Request, info: ConnectionInfo | null): boolean {
  if (info === null || info.peer === null || !isLoopbackAddress(info.peer.address)) return false;
  return !isProxied(request);
}

// --- internal ---

/** The credential of an `Authorization` header (RFC 6750 §2.1). No regular expression: it is long. */
function bearerOf(header: string | null): string | null {
  if (header === null || header.slice(0, 7).toLowerCase() !== "bearer ") return null;
  const credential = header.slice(7).trim();
  return credential === "" ? null : credential;
}

function isDirectlyLocal(
  request: Request,
  info: ConnectionInfo | null,
  { host }: Client,
): boolean {
  return isLoopbackName(host.name) && isFromThisMachine(request, info);
}
