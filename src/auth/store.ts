/**
 * Sessions as stored: digests only, never a credential.
 *
 * @module
 */

/** A session. Times are ms since the epoch. */
export interface Session {
  readonly id: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  /** Absolute end; `null` for none. */
  readonly expiresAt: number | null;
  readonly scopes: readonly string[];
}

/** Every method is one transaction. */
export interface SessionStore {
  create(session: Session, digest: string): Promise<void>;
  /** The session with this digest unless it was revoked. */
  find(digest: string): Session | undefined;
  /** The session with this id unless it was revoked. */
  get(id: string): Session | undefined;
  touch(id: string, lastSeenAt: number): Promise<void>;
  revoke(id: string, at: number): Promise<void>;
  /** Removes sessions that were last seen before a time, or have ended by it. */
  prune(lastSeenBefore: number, now: number): Promise<void>;
}
