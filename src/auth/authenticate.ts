/**
 * Tells who sends a request.
 *
 * @module
 */

import type { ConnectionInfo } from "../host/types.ts";
import { type Client, isProxied } from "../http/client.ts";
import { isLoopbackAddress, isLoopbackName } from "../http/host_name.ts";
import type { Authenticate, Principal, Rejection } from "../http/route.ts";
import type { Attempts } from "./attempts.ts";
import { cookieName, cookieValues } from "./cookie.ts";
import { digestOf, equalDigests } from "./credential.ts";
import type { Endings } from "./endings.ts";
import { scopesWithin } from "./scopes.ts";
import type { SessionService } from "./sessions.ts";
import type { ServerToken, Session } from "./store.ts";
import type { TokenService } from "./tokens.ts";

/** What the server itself knows. */
export interface AuthenticateOptions {
  /** The digest of the server's token; `null` where none was given. */
  readonly tokenDigest: string | null;
  readonly sessions: Pick<SessionService, "find">;
  readonly tokens: Pick<TokenService, "find">;
  readonly endings: Pick<Endings, "on">;
  readonly attempts: Pick<Attempts, "note">;
}

const EVERY_SCOPE = scopesWithin("control");
const LOCAL: Principal = { kind: "local", scopes: EVERY_SCOPE, sessionId: null };
const TOKEN: Principal = { kind: "token", scopes: EVERY_SCOPE, sessionId: null };
const ANONYMOUS: Principal = { kind: "anonymous", scopes: new Set(["public"]), sessionId: null };

/** Values of one cookie that are looked at. */
const MAX_COOKIES = 8;

/** A credential that was presented, and who it stands for. */
interface Presented {
  readonly principal: Principal | null;
  readonly digest: string;
}

/**
 * Makes the check of `design.md` decision 13: nothing is needed on the Unix socket, nor from a
 * loopback peer that names a loopback host when no token was given and no proxy is in between.
 *
 * A wrong credential is as much work as one that was never given out or has ended, and gives the
 * same answer.
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { tokenDigest, sessions, tokens, attempts } = options;

  async function present(credential: string): Promise<Presented> {
    const digest = await digestOf(credential);
    if (tokenDigest !== null && equalDigests(digest, tokenDigest)) {
      return { principal: TOKEN, digest };
    }
    // A wrong one is looked for everywhere, whatever it looks like.
    const token = tokens.find(digest);
    if (token !== null) return { principal: tokenPrincipal(token, options.endings), digest };
    const session = sessions.find(digest);
    const principal = session === null ? null : sessionPrincipal(session, options.endings);
    return { principal, digest };
  }

  /** The first cookie that is good; a stale one may come before. Tokens are no cookies. */
  async function byCookie(header: string | null, name: string): Promise<Presented | null> {
    let wrong: Presented | null = null;
    for (const credential of cookieValues(header, name).slice(0, MAX_COOKIES)) {
      const digest = await digestOf(credential);
      const session = sessions.find(digest);
      if (session !== null) {
        return { principal: sessionPrincipal(session, options.endings), digest };
      }
      wrong ??= { principal: null, digest };
    }
    return wrong;
  }

  return async (request, info, client) => {
    // A proxy that has been given the socket speaks for others than its owner.
    if (info?.transport === "unix" && !isProxied(request)) {
      return { principal: LOCAL, byBearer: false };
    }
    const { headers } = request;
    const credential = bearerOf(headers.get("authorization"));
    const bearer = credential === null ? null : await present(credential);
    if (bearer !== null && bearer.principal !== null) {
      return { principal: bearer.principal, byBearer: true };
    }
    if (tokenDigest === null && isDirectlyLocal(request, info, client)) {
      return { principal: LOCAL, byBearer: false };
    }
    const cookie = await byCookie(headers.get("cookie"), cookieName(client.host));
    if (cookie !== null && cookie.principal !== null) {
      return { principal: cookie.principal, byBearer: false };
    }
    if (bearer === null && cookie === null) return { principal: ANONYMOUS, byBearer: false };
    // A page sends a cookie that has ended with each of its requests: that is one attempt.
    const waitS = attempts.note(client.address, bearer === null ? cookie?.digest : undefined);
    const rejection: Rejection = { waitS };
    return { principal: { ...ANONYMOUS, rejection }, byBearer: false };
  };
}

/** Whether a request comes from this machine itself: over loopback, and through no proxy. */
export function isFromThisMachine(request: Request, info: ConnectionInfo | null): boolean {
  if (info === null || info.peer === null || !isLoopbackAddress(info.peer.address)) return false;
  return !isProxied(request);
}

/** Who a server token stands for. */
export function tokenPrincipal(token: ServerToken, endings: Pick<Endings, "on">): Principal {
  return {
    kind: "token",
    scopes: scopesWithin(token.scope),
    sessionId: null,
    tokenId: token.id,
    whenEnded: (callback) => endings.on(`token:${token.id}`, callback),
  };
}

/** Who a session stands for. */
export function sessionPrincipal(session: Session, endings: Pick<Endings, "on">): Principal {
  return {
    kind: "session",
    scopes: scopesWithin(session.scope),
    sessionId: session.id,
    whenEnded: (callback) => endings.on(`session:${session.id}`, callback),
  };
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
