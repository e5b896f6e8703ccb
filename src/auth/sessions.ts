/**
 * Sessions: made from a token, looked up by credential, ended by logout or idleness.
 *
 * @module
 */

import type { Clock } from "../host/types.ts";
import { digestOf, randomSecret } from "./credential.ts";
import type { Session, SessionStore } from "./store.ts";

/** A session ends after this long without a request, in ms (`facts/holon.md` §f.2). */
export const SESSION_IDLE_MS: number = 7 * 24 * 3600 * 1000;

/** How stale the stored time of the last request may be, in ms: saves a write per request. */
const TOUCH_EVERY_MS = 60_000;

/** What others do with sessions. */
export interface SessionService {
  /** Makes a session; the credential is given out once and stored as a digest only. */
  create(scopes: readonly string[]): Promise<{ readonly credential: string }>;
  /** The live session behind a credential, and notes that it was used. */
  find(credential: string): Promise<Session | null>;
  /** Whether a session is live; that counts as using it. */
  use(id: string): boolean;
  /** Ends a session at once. */
  revoke(id: string): Promise<void>;
}

/** Makes the session service. */
export function createSessionService(store: SessionStore, clock: Clock): SessionService {
  function used(session: Session | undefined): Session | null {
    const now = clock.now();
    if (session === undefined || hasEnded(session, now)) return null;
    // A clock that was set back leaves lastSeenAt in the future: touch it then as well. A full
    // disk must not sign anyone out, so a failure here is let be.
    if (Math.abs(now - session.lastSeenAt) > TOUCH_EVERY_MS) {
      store.touch(session.id, now).catch(() => {});
    }
    return session;
  }

  return {
    async create(scopes) {
      const credential = randomSecret();
      const now = clock.now();
      await store.prune(now - SESSION_IDLE_MS, now);
      await store.create(
        { id: crypto.randomUUID(), createdAt: now, lastSeenAt: now, expiresAt: null, scopes },
        await digestOf(credential),
      );
      return { credential };
    },
    async find(credential) {
      if (!/^[0-9a-f]{64}$/.test(credential)) return null;
      return used(store.find(await digestOf(credential)));
    },
    use: (id) => used(store.get(id)) !== null,
    async revoke(id) {
      await store.revoke(id, clock.now());
    },
  };
}

function hasEnded(session: Session, now: number): boolean {
  if (session.expiresAt !== null && session.expiresAt <= now) return true;
  return session.lastSeenAt + SESSION_IDLE_MS <= now;
}
