/**
 * What makes sessions, as it is stored with them.
 *
 * @module
 */

import type { Principal } from "../http/route.ts";
import { digestOf, equalDigests } from "./credential.ts";
import { type Scope, widestScope } from "./scopes.ts";
import type { SessionService } from "./sessions.ts";
import type { ServerToken } from "./store.ts";
import type { TokenService } from "./tokens.ts";

/** What a session inherits from what makes it. */
export interface Maker {
  /** See `Session.madeBy`. */
  readonly madeBy: string;
  /** The widest scope that it may give. */
  readonly scope: Scope;
  /** When it ends; `null` for never. */
  readonly expiresAt: number | null;
}

/** What the search needs. */
export interface MakerOptions {
  readonly tokenDigest: string | null;
  /** The mark of the server's own token; `null` where it has none. */
  readonly staticMark: string | null;
  readonly tokens: Pick<TokenService, "find" | "use">;
  readonly sessions: Pick<SessionService, "use">;
}

/** Finds what makes a session. */
export interface Makers {
  /** The token that a credential is; `null` for none. */
  ofCredential(credential: string): Promise<Maker | null>;
  /** What a sender is known by; `null` for one that is not. */
  ofPrincipal(principal: Principal): Maker | null;
}

/** Makes the search. */
export function createMakers(options: MakerOptions): Makers {
  const { tokenDigest, staticMark, tokens, sessions } = options;
  const ofStatic: Maker = { madeBy: staticMark ?? "local", scope: "control", expiresAt: null };
  return {
    async ofCredential(credential) {
      const digest = await digestOf(credential);
      const isStatic = tokenDigest !== null && equalDigests(digest, tokenDigest);
      const token = tokens.find(digest);
      if (isStatic) return ofStatic;
      return token === null ? null : ofToken(token);
    },
    ofPrincipal(principal) {
      const { kind, sessionId, tokenId } = principal;
      if (widestScope(principal) === null) return null;
      if (kind === "local") return { madeBy: "local", scope: "control", expiresAt: null };
      if (sessionId !== null) {
        const session = sessions.use(sessionId);
        if (session === null) return null;
        const { madeBy, scope, expiresAt } = session;
        return { madeBy, scope, expiresAt };
      }
      if (tokenId === undefined) return ofStatic;
      const token = tokens.use(tokenId);
      return token === null ? null : ofToken(token);
    },
  };
}

function ofToken({ id, scope, expiresAt }: ServerToken): Maker {
  return { madeBy: `token:${id}`, scope, expiresAt };
}

/** The mark of the server's own token in sessions that it made: with another token they end. */
export async function staticMarkOf(tokenDigest: string): Promise<string> {
  return `static:${(await digestOf(`session maker ${tokenDigest}`)).slice(0, 32)}`;
}
