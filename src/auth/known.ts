/**
 * Who a credential stands for that was checked earlier, such as when a grant was made by its word.
 *
 * @module
 */

import type { Principal } from "../http/route.ts";
import { sessionPrincipal, tokenPrincipal } from "./authenticate.ts";
import type { CredentialKey, Endings } from "./endings.ts";
import { scopesWithin } from "./scopes.ts";
import type { SessionService } from "./sessions.ts";
import type { TokenService } from "./tokens.ts";

/** How somebody was known. */
export interface KnownBy {
  readonly by: Exclude<Principal["kind"], "anonymous">;
  readonly sessionId: string | null;
  readonly tokenId: string | null;
}

/** Looks credentials up by what is known of them. */
export interface KnownCredentials {
  /** Who it stands for now; `null` when it has ended. Asking counts as using it. */
  principalOf(known: KnownBy): Principal | null;
  /** Whether a credential is still good. Asking counts as using it. */
  isLive(key: CredentialKey): boolean;
}

/** What the search needs. */
export interface KnownOptions {
  readonly sessions: Pick<SessionService, "use">;
  readonly tokens: Pick<TokenService, "use">;
  readonly endings: Pick<Endings, "on">;
}

/** Makes the search. */
export function createKnownCredentials(options: KnownOptions): KnownCredentials {
  const { sessions, tokens, endings } = options;
  return {
    principalOf({ by, sessionId, tokenId }) {
      if (by === "session") {
        const session = sessionId === null ? null : sessions.use(sessionId);
        return session === null ? null : sessionPrincipal(session, endings);
      }
      if (tokenId === null) return { kind: by, scopes: scopesWithin("control"), sessionId: null };
      const token = tokens.use(tokenId);
      return token === null ? null : tokenPrincipal(token, endings);
    },
    isLive(key) {
      const id = key.slice(key.indexOf(":") + 1);
      return (key.startsWith("token:") ? tokens.use(id) : sessions.use(id)) !== null;
    },
  };
}
