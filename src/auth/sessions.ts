/**
 * Sessions: made from a token or by pairing, looked up by credential, ended by logout, from
 * elsewhere, or by time (`facts/holon.md` §f.2).
 *
 * Lifetimes go by the machine's clock, which may jump. A session that was found to be over is noted
 * as such, so that a clock that is set back doesn't revive it; one that was seen "in the future"
 * counts anew from now, so that it neither ends nor lasts longer than a whole lifetime.
 *
 * @module
 */

import type { Clock } from "../host/types.ts";
import { digestOf, randomSecret } from "./credential.ts";
import type { Endings } from "./endings.ts";
import type { Scope } from "./scopes.ts";
import type { Session, SessionMethod, SessionStore } from "./store.ts";

/** How long sessions last. */
export interface SessionRules {
  /** Without a request, in ms. */
  readonly idleMs: number;
  /** In all, in ms; `null` for no limit. */
  readonly absoluteMs: number | null;
}

/** A session that is asked for. */
export interface NewSession {
  readonly scope: Scope;
  /** When the credential that makes it ends; `null` for never. */
  readonly expiresAt: number | null;
  readonly madeBy: string;
  readonly method: SessionMethod;
  readonly userAgent: string | null;
}

/** What others do with sessions. */
export interface SessionService {
  /** Makes a session; the credential is given out once and stored as a digest only. */
  create(session: NewSession): Promise<{ readonly credential: string; readonly session: Session }>;
  /** The live session with the digest of a credential; that counts as using it. */
  find(digest: string): Session | null;
  /** The live session with an id; that counts as using it. */
  use(id: string): Session | null;
  /** All live sessions, the one that was used last first. */
  list(): readonly Session[];
  /** Ends a session at once; says whether there was one. */
  revoke(id: string): Promise<boolean>;
  /** Ends all but one; gives how many. */
  revokeOthers(than: string | null): Promise<number>;
  /** When a session ends at the latest, in ms since the epoch; `null` for never. */
  endOf(session: Session): number | null;
}

/** What the service works with. */
export interface SessionOptions {
  readonly store: SessionStore;
  readonly clock: Pick<Clock, "now">;
  readonly endings: Pick<Endings, "end">;
  /** Asked at each use, so that a change of settings counts at once. */
  readonly rules: () => SessionRules;
  /** The mark of the server's own token, as in `madeBy`; `null` where it has none. */
  readonly staticMark: string | null;
  /** Told once that the clock was set back. */
  readonly onNotice?: (sentence: string) => void;
}

/** How stale the stored time of the last request may be, in ms: saves a write per request. */
const TOUCH_EVERY_MS = 60_000;
/** Sessions that are kept; of more, those that were idle longest end. */
const MAX_SESSIONS = 1_000;
/** Characters that are kept of a `User-Agent`. */
const MAX_USER_AGENT = 256;

/** Makes the session service. */
export function createSessionService(options: SessionOptions): SessionService {
  const { store, clock, endings, rules, staticMark } = options;
  let isClockTold = false;

  function endOf(session: Session): number | null {
    const { absoluteMs } = rules();
    if (absoluteMs === null) return session.expiresAt;
    return Math.min(session.createdAt + absoluteMs, session.expiresAt ?? Infinity);
  }

  function hasEnded(session: Session, now: number): boolean {
    const { madeBy, lastSeenAt } = session;
    if (madeBy.startsWith("static:") && madeBy !== staticMark) return true;
    const end = endOf(session);
    return end !== null && end <= now || lastSeenAt + rules().idleMs <= now;
  }

  function used(session: Session | undefined): Session | null {
    if (session === undefined) return null;
    const now = clock.now();
    if (hasEnded(session, now)) {
      // A full disk must not let anyone in, nor make this a failure of the request.
      store.end([session.id], now).catch(() => {});
      endings.end(`session:${session.id}`);
      return null;
    }
    const awayMs = now - session.lastSeenAt;
    if (awayMs < -TOUCH_EVERY_MS) tellOfClock();
    // Nor must a full disk sign anyone out.
    if (Math.abs(awayMs) > TOUCH_EVERY_MS) store.touch(session.id, now).catch(() => {});
    return session;
  }

  function tellOfClock(): void {
    if (isClockTold) return;
    isClockTold = true;
    options.onNotice?.(
      "this machine's clock was set back; sessions that had ended stay so, the others count anew",
    );
  }

  async function end(ids: readonly string[]): Promise<number> {
    const ended = await store.end(ids, clock.now());
    for (const id of ids) endings.end(`session:${id}`);
    return ended;
  }

  function list(): readonly Session[] {
    const now = clock.now();
    return store.list().filter((session) => !hasEnded(session, now));
  }

  return {
    async create({ userAgent, ...asked }) {
      const credential = randomSecret();
      const now = clock.now();
      await store.prune(now - rules().idleMs);
      const session: Session = {
        ...asked,
        id: crypto.randomUUID(),
        createdAt: now,
        lastSeenAt: now,
        userAgent: userAgent === null ? null : userAgent.slice(0, MAX_USER_AGENT),
      };
      await store.create(session, await digestOf(credential), MAX_SESSIONS);
      return { credential, session };
    },
    find: (digest) => used(store.find(digest)),
    use: (id) => used(store.get(id)),
    list,
    revoke: async (id) => await end([id]) > 0,
    revokeOthers: (than) => end(list().map(({ id }) => id).filter((id) => id !== than)),
    endOf,
  };
}
