import { type Auth, createAuth } from "../../src/auth/service.ts";
import type { SessionRules, SessionService } from "../../src/auth/sessions.ts";
import type { ConnectionInfo } from "../../src/host/types.ts";
import { parseHost } from "../../src/http/host_name.ts";
import type { Identity } from "../../src/http/route.ts";
import { openHomeDatabase } from "../../src/store/open_home_database.ts";
import { tempDirectory } from "../support/temp_home.ts";

export const HOUR = 3_600_000;
export const DAY: number = 24 * HOUR;

/** How a request comes in. */
export interface Way {
  readonly host?: string;
  readonly peer?: string;
  readonly transport?: "tcp" | "unix";
  /** Without a listener. */
  readonly info?: null;
}

/** Authentication over a home of its own, with a clock that is set by hand. */
export interface OpenedAuth extends Auth {
  rules: SessionRules;
  readonly notices: readonly string[];
  /** Moves both clocks on. */
  advance(ms: number): void;
  /** Sets the wall clock off, as a person or NTP does; the other clock goes on. */
  skew(ms: number): void;
  /** Who sends a request with some headers. */
  who(headers: Readonly<Record<string, string>>, way?: Way): Promise<Identity>;
  /** Closes the database and opens it again, perhaps with another token of the server. */
  reopen(token?: string | null): Promise<OpenedAuth>;
  close(): Promise<void>;
}

const START = 1_800_000_000_000;

/** Opens one; a token of the server is given unless it is `null`. */
export async function openAuth(
  token: string | null,
  home: ReturnType<typeof tempDirectory> = tempDirectory(),
  start: number = START,
): Promise<OpenedAuth> {
  let now = start;
  let monotonic = 0;
  const notices: string[] = [];
  const { database } = openHomeDatabase({ home: home.path, now: () => now });
  const auth = await createAuth({
    database,
    clock: { now: () => now, monotonic: () => monotonic },
    token,
    sessionRules: () => opened.rules,
    isSecure: () => false,
    reach: () => null,
    onNotice: (sentence) => notices.push(sentence),
  });
  const opened: OpenedAuth = {
    ...auth,
    rules: { idleMs: 7 * DAY, absoluteMs: null },
    notices,
    advance(ms) {
      now += ms;
      monotonic += ms;
    },
    skew: (ms) => void (now += ms),
    async who(headers, way = {}) {
      const host = way.host ?? "localhost:7878";
      const info: ConnectionInfo = {
        target: "/",
        host,
        transport: way.transport ?? "tcp",
        peer: { address: way.peer ?? "127.0.0.1", port: 9 },
        local: { address: "127.0.0.1", port: 7878 },
        ended: new Promise(() => {}),
      };
      // A plain object, since a Request of a browser-like runtime may drop the Cookie header.
      const sent = new Map(Object.entries(headers));
      const request = {
        headers: { get: (name: string) => sent.get(name) ?? null, keys: () => sent.keys() },
      } as unknown as Request;
      const address = info.peer?.address ?? null;
      const client = { host: parseHost(host)!, scheme: null, address };
      const who = await auth.authenticate(request, way.info === null ? null : info, client);
      // What is noted of a use is written behind the answer.
      await database.write(() => {});
      return who;
    },
    async reopen(next = token) {
      await database.close();
      return openAuth(next, home, now);
    },
    async close() {
      await database.close();
      home.remove();
    },
  };
  return opened;
}

/** A session as signing in with the server's token makes it. */
export function signIn(auth: Auth): ReturnType<SessionService["create"]> {
  return auth.sessions.create({
    scope: "control",
    expiresAt: null,
    madeBy: "local",
    method: "token",
    userAgent: null,
  });
}
