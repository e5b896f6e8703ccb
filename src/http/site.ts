/**
 * Hosts that have routes of their own: what is on one of them shares nothing with the rest.
 *
 * @module
 */

import type { HostAndPort } from "./host_name.ts";
import type { UnroutedContext } from "./router.ts";

/** What is known of a request before anybody asks who sends it. */
export type SiteContext = Omit<UnroutedContext, "principal">;

/** Answers all requests for a host, with checks of its own; it may throw a `Fault`. */
export type Site = (context: SiteContext) => Promise<Response>;

/** Finds what answers for a host; `null` where the host is none with routes of its own. */
export type FindSite = (host: HostAndPort) => Site | null;
