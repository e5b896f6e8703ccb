import type { Session, SessionStore } from "../../src/auth/store.ts";

/** A session store for tests; it holds digests only, as the real one. */
export function createMemorySessionStore(): SessionStore {
  const byDigest = new Map<string, Session>();
  const update = (id: string, change: (session: Session) => Session | null) => {
    for (const [digest, session] of byDigest) {
      if (session.id !== id) continue;
      const changed = change(session);
      if (changed === null) byDigest.delete(digest);
      else byDigest.set(digest, changed);
    }
    return Promise.resolve();
  };
  return {
    create: (session, digest) => {
      byDigest.set(digest, session);
      return Promise.resolve();
    },
    find: (digest) => byDigest.get(digest),
    get: (id) => [...byDigest.values()].find((session) => session.id === id),
    touch: (id, lastSeenAt) => update(id, (session) => ({ ...session, lastSeenAt })),
    revoke: (id) => update(id, () => null),
    prune: () => Promise.resolve(),
  };
}
