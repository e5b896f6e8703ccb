/**
 * Authentication, put together.
 *
 * @module
 */

import type { Clock } from "../host/types.ts";
import type { Authenticate, Route } from "../http/route.ts";
import type { Database } from "../store/types.ts";
import { createAttempts } from "./attempts.ts";
import { createAuthenticate } from "./authenticate.ts";
import { digestOf } from "./credential.ts";
import { createEndings } from "./endings.ts";
import { createKnownCredentials, type KnownCredentials } from "./known.ts";
import { createMakers, staticMarkOf } from "./makers.ts";
import { createPairing } from "./pairing.ts";
import type { KnownReach } from "./pairing_address.ts";
import { pairingRoutes } from "./pairing_routes.ts";
import { authRoutes } from "./routes.ts";
import type { IsSecure } from "./session_answer.ts";
import { createSessionService, type SessionRules, type SessionService } from "./sessions.ts";
import { createSqliteSessionStore } from "./store_sqlite.ts";
import { createSqliteTokenStore } from "./token_store_sqlite.ts";
import { createTokenService, type TokenService } from "./tokens.ts";

/** What authentication works with. */
export interface AuthOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** The server's own token; `null` where none was given. */
  readonly token: string | null;
  readonly sessionRules: () => SessionRules;
  readonly isSecure: IsSecure;
  /** How the server is reached; `null` where Holon doesn't listen itself. */
  readonly reach: () => KnownReach | null;
  readonly onNotice: (sentence: string) => void;
}

/** What the rest of Holon has of it. */
export interface Auth {
  readonly authenticate: Authenticate;
  readonly credentials: KnownCredentials;
  readonly sessions: SessionService;
  readonly tokens: TokenService;
  /** The digest of the server's own token; `null` where none was given. */
  readonly tokenDigest: string | null;
  readonly routes: readonly Route[];
}

/** Makes it. */
export async function createAuth(options: AuthOptions): Promise<Auth> {
  const { database, clock, token, sessionRules, isSecure, onNotice } = options;
  const tokenDigest = token === null ? null : await digestOf(token);
  const staticMark = tokenDigest === null ? null : await staticMarkOf(tokenDigest);
  const endings = createEndings((key) => credentials.isLive(key));
  const sessions = createSessionService({
    store: createSqliteSessionStore(database),
    clock,
    endings,
    rules: sessionRules,
    staticMark,
    onNotice,
  });
  const tokens = createTokenService({ store: createSqliteTokenStore(database), clock, endings });
  const credentials = createKnownCredentials({ sessions, tokens, endings });
  const attempts = createAttempts({ clock, onNotice });
  const common = {
    required: tokenDigest !== null,
    sessions,
    tokens,
    makers: createMakers({ tokenDigest, staticMark, tokens, sessions }),
    attempts,
    isSecure,
  };
  return {
    authenticate: createAuthenticate({ tokenDigest, sessions, tokens, endings, attempts }),
    credentials,
    sessions,
    tokens,
    tokenDigest,
    routes: [
      ...authRoutes(common),
      ...pairingRoutes({
        ...common,
        pairing: createPairing(clock),
        credentials,
        reach: options.reach,
        now: clock.now,
      }),
    ],
  };
}
