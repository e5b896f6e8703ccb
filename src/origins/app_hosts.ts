/**
 * The hosts of apps that have an origin of their own: the app's routes, at the root, and nothing
 * else of Holon.
 *
 * @module
 */

import { isFromThisMachine } from "../auth/authenticate.ts";
import type { KnownCredentials } from "../auth/known.ts";
import { Fault } from "../fault.ts";
import { requireSameSite } from "../http/guard.ts";
import type { HostAndPort } from "../http/host_name.ts";
import type { Principal, Route } from "../http/route.ts";
import { createRouter } from "../http/router.ts";
import type { FindSite, SiteContext } from "../http/site.ts";
import { parseTarget } from "../http/target.ts";
import type { AppCookies } from "./app_cookies.ts";
import type { Bounces } from "./bounces.ts";
import type { OriginNames } from "./names.ts";
import { isTopNavigation, redirectTo, takeTicket } from "./redirects.ts";
import { authorityOf, isOn, type OriginRule, splitAppHost } from "./rule.ts";
import { isOfApp } from "./shared_path.ts";
import type { Tickets } from "./tickets.ts";
import type { AppRef, Grant } from "./types.ts";

/** What the hosts need. */
export interface AppHostOptions {
  /** The routes below `/apps`, as they are without own origins. */
  readonly routes: readonly Route[];
  readonly names: OriginNames;
  readonly tickets: Tickets;
  readonly cookies: AppCookies;
  readonly bounces: Bounces;
  readonly credentials: KnownCredentials;
  readonly rule: () => OriginRule;
}

/**
 * Headers of every answer. The policy joins what the answer has already (Content Security Policy
 * §8.1): no other origin, and so no other app, may frame it. The first keeps siblings out of its
 * process, and makes `document.domain` fail.
 */
const HEADERS: Readonly<Record<string, string>> = {
  "origin-agent-cluster": "?1",
  "cross-origin-resource-policy": "same-origin",
};
const FRAMES = "frame-ancestors 'self'";

/** Cuts the app off from windows that opened it, and leaves it those that it opens itself. */
const OPENERS = "same-origin-allow-popups";

/** Who uses an app at its own host: nobody that Holon's other routes would know. */
const GUEST = { kind: "session", sessionId: null } as const;

/** One app's host, as a request names it. */
interface AppHost extends AppRef {
  readonly label: string;
  readonly host: HostAndPort;
  /** Where Holon's own origin is for those who come here. */
  readonly shared: HostAndPort;
}

/** Makes the search for hosts of apps. */
export function createAppHosts(options: AppHostOptions): FindSite {
  const { names, tickets, cookies, bounces, credentials, rule } = options;
  const dispatch = createRouter(options.routes.filter(isOfApp));

  return (host) => {
    const split = splitAppHost(host.name, rule());
    const app = split === null ? null : names.appAt(split.label);
    if (split === null || app === null) return null;
    const shared = { name: split.domain, port: host.port };
    return (context) => answer({ ...app, host, shared, label: split.label }, context);
  };

  async function answer(app: AppHost, context: SiteContext): Promise<Response> {
    const { request, client, target } = context;
    // The operator's trusted origins are for Holon, not for what its apps keep.
    requireSameSite(request, client, { trustedOrigins: [] });
    if (!target.rawPath.startsWith("/")) {
      throw new Fault("bad_request", "An app has no such address");
    }
    const { ticket, rest } = takeTicket(target.rawQuery);
    if (!isOn(rule(), app)) {
      if (isTopNavigation(request)) return toShared(app, target.rawPath, rest);
      throw new Fault("misdirected_host", "The app has no origin of its own any more", {
        hint: `It is at \`${pathOf(app)}/\` now.`,
      });
    }
    if (ticket !== null && isTopNavigation(request) && request.method === "GET") {
      return await enter(app, ticket, rest, context);
    }
    const principal = await guestOf(app, context);
    if (principal === null) return sendAway(app, target.rawPath, rest, context);
    const response = await dispatch({
      ...context,
      target: parseTarget(
        pathOf(app) + target.rawPath + (target.rawQuery === "" ? "" : `?${target.rawQuery}`),
      ),
      principal,
    });
    return withHeaders(response);
  }

  /** Turns a ticket into a cookie, and leaves the address without it. */
  async function enter(
    app: AppHost,
    ticket: string,
    rawQuery: string,
    context: SiteContext,
  ): Promise<Response> {
    const { rawPath } = context.target;
    const grant = await tickets.redeem(ticket, authorityOf(app.host));
    if (grant !== null && ownerOf(grant, app, context) !== null) {
      const cookie = await cookies.issue(
        grant,
        app.host,
        app.label,
        context.client.scheme === "https",
      );
      return redirectTo(303, app.host, { rawPath, rawQuery }, { "set-cookie": cookie });
    }
    // Such as one that was used, out of a copied address: what counts is the cookie.
    if (await guestOf(app, context) !== null) {
      return redirectTo(303, app.host, { rawPath, rawQuery });
    }
    return sendAway(app, rawPath, rawQuery, context);
  }

  /** Who a request's cookie makes the sender, with no more than the owner may; or `null`. */
  async function guestOf(app: AppHost, context: SiteContext): Promise<Principal | null> {
    const grant = await cookies.read(context.request.headers.get("cookie"), app.host, app.label);
    const owner = grant === null ? null : ownerOf(grant, app, context);
    if (owner === null) return null;
    const { scopes, whenEnded } = owner;
    return { ...GUEST, scopes, ...(whenEnded === undefined ? {} : { whenEnded }) };
  }

  /** What was so when the grant was made has to be so still. */
  function ownerOf(grant: Grant, app: AppRef, { request, info }: SiteContext): Principal | null {
    if (grant.agentId !== app.agentId || grant.appId !== app.appId) return null;
    if (grant.by === "local" && !isFromThisMachine(request, info)) return null;
    return credentials.principalOf(grant);
  }

  /** To Holon's own origin, for a ticket; what can't go there is refused. */
  function sendAway(
    app: AppHost,
    rawPath: string,
    rawQuery: string,
    { request, client }: SiteContext,
  ): Response {
    if (!isTopNavigation(request)) {
      throw new Fault("auth_required", "This app is opened from Holon's own address", {
        hint: `Open \`${pathOf(app)}/\` there.`,
        context: { auth_reason_code: "auth_required" },
      });
    }
    // Behind a proxy that is not trusted all clients have one address.
    const headers = ["x-forwarded-for", "user-agent"].map((it) => request.headers.get(it) ?? "");
    const key = [client.address, app.label, rawPath, ...headers].join(" ").slice(0, 1024);
    if (!bounces.allow(key)) {
      throw new Fault("forbidden", "Your browser keeps no cookies for this app", {
        hint: `Allow cookies for ${app.host.name}, then open the app again.`,
      });
    }
    return toShared(app, rawPath, rawQuery);
  }

  function toShared(app: AppHost, rawPath: string, rawQuery: string): Response {
    return redirectTo(307, app.shared, { rawPath: pathOf(app) + rawPath, rawQuery });
  }
}

// --- internal ---

/** The app's path at Holon's own origin; ids need no escapes. */
function pathOf({ agentId, appId }: AppRef): string {
  return `/apps/${agentId}/${appId}`;
}

/** In place: a response that is wrapped anew can't be sent the fast way. */
function withHeaders(response: Response): Response {
  const { headers } = response;
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value);
  if (!headers.has("cross-origin-opener-policy")) {
    headers.set("cross-origin-opener-policy", OPENERS);
  }
  headers.append("content-security-policy", FRAMES);
  return response;
}
