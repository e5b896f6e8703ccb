/**
 * Own origins, put together.
 *
 * @module
 */

import type { AppService } from "../apps/types.ts";
import type { KnownCredentials } from "../auth/known.ts";
import type { Clock, HostFiles } from "../host/types.ts";
import type { HostAndPort } from "../http/host_name.ts";
import type { Route } from "../http/route.ts";
import type { FindSite } from "../http/site.ts";
import { createAppCookies } from "./app_cookies.ts";
import { createAppHosts } from "./app_hosts.ts";
import { createBounces } from "./bounces.ts";
import { createHomeKey } from "./home_key.ts";
import { createOriginNames } from "./names.ts";
import { type OriginRule, splitAppHost } from "./rule.ts";
import { withOwnOrigins } from "./shared_path.ts";
import type { OriginStore } from "./store.ts";
import { createTickets } from "./tickets.ts";
import type { AppRef } from "./types.ts";

/** What own origins need. */
export interface OwnOriginOptions {
  readonly files: HostFiles;
  readonly clock: Clock;
  readonly home: string;
  readonly store: OriginStore;
  readonly apps: Pick<AppService, "require">;
  readonly credentials: KnownCredentials;
  /** The digest of the server's token; `null` where it has none. */
  readonly tokenDigest: string | null;
  /** The operator's settings, asked per request. */
  readonly rule: () => OriginRule;
}

/** The two ends of own origins. */
export interface OwnOrigins {
  /** For Holon's own origin. */
  readonly routes: readonly Route[];
  /** For the hosts of apps. */
  readonly findSite: FindSite;
  /** The app whose own host this is; `null` for all other hosts. */
  readonly appAt: (host: HostAndPort) => AppRef | null;
}

/**
 * Splits the routes of apps between Holon's own origin and the apps' hosts.
 *
 * @param routes those below `/apps`
 */
export function createOwnOrigins(routes: readonly Route[], options: OwnOriginOptions): OwnOrigins {
  const { files, clock, home, store, apps, credentials, tokenDigest, rule } = options;
  const derive = createHomeKey(files, home);
  const names = createOriginNames(store, derive);
  const tickets = createTickets(clock);
  return {
    routes: withOwnOrigins(routes, { apps, names, tickets, rule }),
    appAt(host) {
      const split = splitAppHost(host.name, rule());
      return split === null ? null : names.appAt(split.label);
    },
    findSite: createAppHosts({
      routes,
      names,
      tickets,
      cookies: createAppCookies({ clock, derive, tokenDigest }),
      bounces: createBounces(clock),
      credentials,
      rule,
    }),
  };
}
