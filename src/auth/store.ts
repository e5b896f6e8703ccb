/**
 * Sessions and server tokens as stored: digests only, never a credential. Times are ms since the
 * epoch.
 *
 * @module
 */

import type { Scope } from "./scopes.ts";

/** How a session came to be. */
export type SessionMethod = "pairing" | "token";

/** A session. */
export interface Session {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** When the credential that made it ends, and the session with it; `null` for never. */
  readonly expiresAt: number | null;
  readonly scope: Scope;
  /** What made it: `token:<id>`, `static:<mark>` for the server's own token, or `local`. */
  readonly madeBy: string;
  readonly method: SessionMethod;
  /** The `User-Agent` of the request that made it, cut. */
  readonly userAgent: string | null;
}

/** Every method is one transaction. */
export interface SessionStore {
  /** Stores a session; of more than `most`, those that were idle longest go. */
  create(session: Session, digest: string, most: number): Promise<void>;
  /** The session with this digest unless it has ended. */
  find(digest: string): Session | undefined;
  /** The session with this id unless it has ended. */
  get(id: string): Session | undefined;
  /** All that have not been ended, the one that was seen last first. */
  list(): readonly Session[];
  /** Notes use; a clock that was set back takes the times of creation and of the end with it. */
  touch(id: string, now: number): Promise<void>;
  /** Ends sessions; gives how many of them had not ended before. */
  end(ids: readonly string[], at: number): Promise<number>;
  /** Removes sessions that were last seen before a time. */
  prune(lastSeenBefore: number): Promise<void>;
}

/** A server token. */
export interface ServerToken {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly createdAt: number;
  /** `null` until it is used. */
  readonly lastUsedAt: number | null;
  /** `null` for never. */
  readonly expiresAt: number | null;
  /** When it was found to be over: it stays so, whatever the clock says later. */
  readonly endedAt: number | null;
}

/** What a server token is replaced by. */
export type RenewedToken = Pick<ServerToken, "createdAt" | "expiresAt">;

/** Every method is one transaction. */
export interface TokenStore {
  /** Stores a token, unless its name is taken or there are `most` already. */
  create(token: ServerToken, digest: string, most: number): Promise<"created" | "exists" | "full">;
  find(digest: string): ServerToken | undefined;
  get(id: string): ServerToken | undefined;
  /** All, by name. */
  list(): readonly ServerToken[];
  /** As for sessions. */
  touch(id: string, now: number): Promise<void>;
  /** Notes that a token is over. */
  end(id: string, at: number): Promise<void>;
  /** Removes a token and ends the sessions that it made; gives their ids. */
  remove(id: string, at: number): Promise<readonly string[]>;
  /** Puts another secret in place of a token's, and ends the sessions that it made. */
  renew(id: string, renewed: RenewedToken, digest: string): Promise<readonly string[]>;
}
