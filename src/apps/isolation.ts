/**
 * The headers of apps with `"isolation": true`, on the answers that no handler of theirs makes.
 *
 * @module
 */

import type { HostAndPort } from "../http/host_name.ts";
import { decodePath, parseTarget } from "../http/target.ts";
import { ISOLATION_HEADERS } from "./app_handler.ts";
import type { AppService } from "./types.ts";

/** What the search for an app's headers needs. */
export interface IsolationOptions {
  readonly apps: Pick<AppService, "require">;
  /** The app whose own host this is; `null` for all other hosts. */
  readonly appAt: (host: HostAndPort) => AppPlace | null;
}

/** Which app a request is for. */
export interface AppPlace {
  readonly agentId: string;
  readonly appId: string;
}

/** What is known of a request that no handler answered. */
export interface Unhandled {
  readonly host: HostAndPort | null;
  readonly rawTarget: string;
  /** Whether the sender may know which apps there are. */
  readonly isKnown: boolean;
}

/**
 * Makes the function that gives {@linkcode ISOLATION_HEADERS} where the app asks for them: a single
 * answer below it without them, be it 401 or 405, would be blocked. To a sender who may not know
 * which apps there are, every answer below `/apps/{agent}/{app}` has them.
 */
export function createIsolationHeaders(
  { apps, appAt }: IsolationOptions,
): (request: Unhandled) => Promise<typeof ISOLATION_HEADERS | null> {
  return async ({ host, rawTarget, isKnown }) => {
    const own = host === null ? null : appAt(host);
    const app = own ?? placeOf(rawTarget);
    if (app === null) return null;
    if (own === null && !isKnown) return ISOLATION_HEADERS;
    try {
      const { manifest } = await apps.require(app.agentId, app.appId);
      return manifest.isolation ? ISOLATION_HEADERS : null;
    } catch {
      return null;
    }
  };
}

// --- internal ---

/** The app that a target lies below, however it goes on. */
function placeOf(rawTarget: string): AppPlace | null {
  try {
    const [start = "", agentId = "", appId = ""] = parseTarget(rawTarget).segments.slice(0, 3)
      .map(decodePath);
    return start === "apps" && agentId !== "" && appId !== "" ? { agentId, appId } : null;
  } catch {
    return null;
  }
}
