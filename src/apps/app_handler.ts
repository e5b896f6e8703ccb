/**
 * What the handlers of all routes of one app have in common: the app is found once, and what it
 * asks for in its manifest holds for every answer, refusals too.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { RequestContext, RouteHandler } from "../http/route.ts";
import type { App, AppService } from "./types.ts";

/**
 * Headers of every answer of an app with `"isolation": true` (WHATWG HTML §7.1.3 and §7.1.4, Fetch
 * §3.8). Worker scripts need them as much as documents, and a single answer without them would be
 * blocked.
 */
export const ISOLATION_HEADERS: Readonly<Record<string, string>> = {
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Finds the app that the address names and validates its manifest, once a request. */
export type FindApp = () => Promise<App>;

/** Makes the handler of a route below `/apps/:agent/:app`. */
export function appHandler(
  apps: { readonly require: AppService["requireForFiles"] },
  handle: (context: RequestContext, findApp: FindApp) => Promise<Response>,
): RouteHandler {
  return async (context) => {
    const { agent = "", app: appId = "" } = context.params;
    let found: App | undefined;
    const findApp = async () => found ??= await apps.require(agent, appId, context.info?.moment);
    try {
      const response = await handle(context, findApp);
      if (found?.manifest.isolation) isolate(response.headers);
      return response;
    } catch (error) {
      if (!(error instanceof Fault) || !await isIsolated(findApp)) throw error;
      throw error.withHeaders(ISOLATION_HEADERS);
    }
  };
}

// --- internal ---

/** In place: a response that is wrapped anew can't be sent the fast way. */
function isolate(headers: Headers): void {
  for (const [name, value] of Object.entries(ISOLATION_HEADERS)) headers.set(name, value);
}

/** Asked also where the path was refused before the app was looked for. */
async function isIsolated(findApp: FindApp): Promise<boolean> {
  try {
    return (await findApp()).manifest.isolation;
  } catch {
    return false;
  }
}
