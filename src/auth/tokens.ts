/**
 * Server tokens: credentials for programs and people besides the server's own token, each with a
 * name, a scope and perhaps an end.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { Clock } from "../host/types.ts";
import { digestOf, randomSecret } from "./credential.ts";
import type { Endings } from "./endings.ts";
import type { Scope } from "./scopes.ts";
import type { ServerToken, TokenStore } from "./store.ts";

/** A token with its secret, which is given out this once. */
export interface IssuedToken {
  readonly token: ServerToken;
  readonly credential: string;
}

/** What others do with server tokens. */
export interface TokenService {
  /**
   * Makes a token.
   *
   * @param lifetimeMs how long it is good; `null` for ever
   * @throws {Fault} `token_exists`, `too_many_tokens`
   */
  create(name: string, scope: Scope, lifetimeMs: number | null): Promise<IssuedToken>;
  /** The live token with the digest of a credential; that counts as using it. */
  find(digest: string): ServerToken | null;
  /** The live token with an id; that counts as using it. */
  use(id: string): ServerToken | null;
  /** All, also those that are over, by name. */
  list(): readonly ServerToken[];
  /** Whether a token is good. */
  isLive(token: ServerToken): boolean;
  /**
   * Ends a token, the sessions that it made, and their streams; gives how many sessions those were.
   *
   * @throws {Fault} `not_found`
   */
  revoke(name: string): Promise<number>;
  /**
   * Gives a token another secret; the old one, and what it made, ends at once.
   *
   * @param lifetimeMs as for {@linkcode create}; `undefined` for as long as before
   * @throws {Fault} `not_found`
   */
  rotate(name: string, lifetimeMs: number | null | undefined): Promise<IssuedToken>;
}

/** What the service works with. */
export interface TokenOptions {
  readonly store: TokenStore;
  readonly clock: Pick<Clock, "now">;
  readonly endings: Pick<Endings, "end">;
}

/** Tokens that a server has at most. */
const MAX_TOKENS = 100;
/** How stale the stored time of the last use may be, in ms. */
const TOUCH_EVERY_MS = 60_000;
/** Makes a token known as one, to a person and to programs that look for secrets in texts. */
const PREFIX = "holon_";

/** Makes the token service. */
export function createTokenService({ store, clock, endings }: TokenOptions): TokenService {
  function used(token: ServerToken | undefined): ServerToken | null {
    if (token === undefined) return null;
    const now = clock.now();
    if (!isLive(token)) {
      // Noted, so that a clock that is set back doesn't revive it.
      if (token.endedAt === null) store.end(token.id, now).catch(() => {});
      endings.end(`token:${token.id}`);
      return null;
    }
    if (token.lastUsedAt === null || Math.abs(now - token.lastUsedAt) > TOUCH_EVERY_MS) {
      store.touch(token.id, now).catch(() => {});
    }
    return token;
  }

  function isLive({ endedAt, expiresAt }: ServerToken): boolean {
    return endedAt === null && (expiresAt === null || expiresAt > clock.now());
  }

  function named(name: string): ServerToken {
    const token = store.list().find((other) => other.name === name);
    if (token !== undefined) return token;
    throw new Fault("not_found", `There is no token with the name "${name}"`, {
      hint: "`holon token list` shows all of them.",
    });
  }

  function endAll(token: ServerToken, sessions: readonly string[]): void {
    endings.end(`token:${token.id}`);
    for (const id of sessions) endings.end(`session:${id}`);
  }

  return {
    async create(name, scope, lifetimeMs) {
      const credential = PREFIX + randomSecret();
      const now = clock.now();
      const token: ServerToken = {
        id: crypto.randomUUID(),
        name,
        scope,
        createdAt: now,
        lastUsedAt: null,
        expiresAt: lifetimeMs === null ? null : now + lifetimeMs,
        endedAt: null,
      };
      switch (await store.create(token, await digestOf(credential), MAX_TOKENS)) {
        case "created":
          return { token, credential };
        case "exists":
          throw new Fault("token_exists", `There is a token with the name "${name}" already`, {
            hint: "Rotate it to get another secret, or revoke it first.",
          });
        case "full":
          throw new Fault("too_many_tokens", `There are ${MAX_TOKENS} tokens already`, {
            hint: "Revoke those that nobody needs: `holon token list`.",
          });
      }
    },
    find: (digest) => used(store.find(digest)),
    use: (id) => used(store.get(id)),
    list: () => store.list(),
    isLive,
    async revoke(name) {
      const token = named(name);
      const sessions = await store.remove(token.id, clock.now());
      endAll(token, sessions);
      return sessions.length;
    },
    async rotate(name, lifetimeMs) {
      const token = named(name);
      const credential = PREFIX + randomSecret();
      const createdAt = clock.now();
      const before = token.expiresAt === null ? null : token.expiresAt - token.createdAt;
      const lifetime = lifetimeMs === undefined ? before : lifetimeMs;
      const expiresAt = lifetime === null ? null : createdAt + lifetime;
      const renewed = { createdAt, expiresAt };
      const sessions = await store.renew(token.id, renewed, await digestOf(credential));
      endAll(token, sessions);
      return { token: { ...token, ...renewed, lastUsedAt: null, endedAt: null }, credential };
    },
  };
}
