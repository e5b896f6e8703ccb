/**
 * What is left at Holon's own origin of an app that has one of its own: the way there.
 *
 * @module
 */

import { appHandler } from "../apps/app_handler.ts";
import type { AppService } from "../apps/types.ts";
import { Fault } from "../fault.ts";
import type { RequestContext, Route } from "../http/route.ts";
import type { OriginNames } from "./names.ts";
import { isTopNavigation, redirectTo, withTicket } from "./redirects.ts";
import { authorityOf, domainFor, isOn, type OriginRule } from "./rule.ts";
import type { Tickets } from "./tickets.ts";
import type { AppRef } from "./types.ts";

/** The paths of an app's routes. */
export const APP_PATH = "/apps/:agent/:app";

/** What it takes to send browsers on. */
export interface SharedPathOptions {
  readonly apps: Pick<AppService, "require">;
  readonly names: OriginNames;
  readonly tickets: Tickets;
  readonly rule: () => OriginRule;
}

/**
 * Gives the routes, changed where they are an app's: for one with an origin of its own, navigations
 * are redirected there with a ticket (307, path and query kept), and all else is refused.
 */
export function withOwnOrigins(
  routes: readonly Route[],
  options: SharedPathOptions,
): readonly Route[] {
  const sendOn = appHandler(options.apps, async (context, findApp) => {
    const { agentId, manifest } = await findApp();
    return await toOwnOrigin({ agentId, appId: manifest.id }, context, options);
  });
  return routes.map((route) => {
    if (!isOfApp(route)) return route;
    return {
      ...route,
      ...(route.method === "GET" ? redirecting(route) : {}),
      handler: (context) => {
        const { agent: agentId = "", app: appId = "" } = context.params;
        const app = { agentId, appId };
        return isOn(options.rule(), app) ? sendOn(context) : route.handler(context);
      },
    };
  });
}

/** Whether a route is one of an app's. */
export function isOfApp({ path }: Route): boolean {
  return path === APP_PATH || path.startsWith(`${APP_PATH}/`);
}

// --- internal ---

/** What the API reference says of a route that may redirect. */
function redirecting({ statuses, responseHeaders = [] }: Route): Partial<Route> {
  return {
    statuses: {
      ...(statuses ?? { 200: "Done." }),
      307: "The same at the app's own origin, for a browser's window.",
    },
    responseHeaders: [...new Set([...responseHeaders, "Location"])],
  };
}

async function toOwnOrigin(
  app: AppRef,
  { request, client, target, principal }: RequestContext,
  { names, tickets, rule }: SharedPathOptions,
): Promise<Response> {
  if (!isTopNavigation(request)) {
    throw new Fault("forbidden", "This app has an origin of its own, and is served there only", {
      hint:
        "Open its address in a window of its own. The setting local_apps.own_origin says which " +
        "apps have one.",
    });
  }
  const shared = client.host;
  const domain = domainFor(shared, rule());
  if (domain === null) {
    throw new Fault(
      "forbidden",
      "This app has an origin of its own, and there is none for other machines yet",
      {
        hint:
          "Open it on the machine that Holon runs on, at localhost, or give the apps a domain: " +
          "`holon config set local_apps.origin_domain apps.example.net`",
      },
    );
  }
  const host = { name: `${await names.labelOf(app)}.${domain}`, port: shared.port };
  // As sent, so that the app sees the same escapes: all behind `/apps/{agent}/{app}`.
  const rawPath = `/${target.rawPath.split("/").slice(4).join("/")}`;
  const { kind, sessionId, tokenId = null } = principal;
  if (request.method !== "GET" || kind === "anonymous") {
    return redirectTo(307, host, { rawPath, rawQuery: target.rawQuery });
  }
  const grant = { ...app, by: kind, sessionId, tokenId };
  const ticket = await tickets.issue(grant, authorityOf(host));
  return redirectTo(307, host, { rawPath, rawQuery: withTicket(target.rawQuery, ticket) });
}
