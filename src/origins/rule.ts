/**
 * Which apps have an origin of their own, and where.
 *
 * @module
 */

import { type HostAndPort, isLoopbackName } from "../http/host_name.ts";
import type { AppRef } from "./types.ts";

/** The operator's settings; read per request, so that a reload takes effect. */
export interface OriginRule {
  /** Apps as `agent/app`; `all` stands for every one. */
  readonly apps: readonly string[];
  /** The domain below which apps are for other machines; `null` where there is none. */
  readonly domain: string | null;
}

/** Below which apps are for browsers on this machine: such names resolve to it (RFC 6761 §6.3). */
const LOCAL_DOMAIN = "localhost";

/** Whether an app has an origin of its own. */
export function isOn({ apps }: OriginRule, { agentId, appId }: AppRef): boolean {
  return apps.length > 0 && (apps.includes("all") || apps.includes(`${agentId}/${appId}`));
}

/**
 * The domain below which apps are for who came to Holon by a host; `null` where that client can't
 * resolve such names. Holon itself answers at the domain, as it does at `localhost`.
 */
export function domainFor(host: HostAndPort, rule: OriginRule): string | null {
  return isLoopbackName(host.name) ? LOCAL_DOMAIN : rule.domain;
}

/** The names that Holon answers to, with the domain above its apps. */
export function withDomain(hosts: readonly string[], { domain }: OriginRule): readonly string[] {
  return domain === null ? hosts : [...hosts, domain];
}

/** Takes the name of an app's host apart; `null` where it is none. */
export function splitAppHost(
  name: string,
  rule: OriginRule,
): { readonly label: string; readonly domain: string } | null {
  for (const domain of [LOCAL_DOMAIN, rule.domain]) {
    if (domain === null || !name.endsWith(`.${domain}`)) continue;
    const label = name.slice(0, -domain.length - 1);
    if (!label.includes(".")) return { label, domain };
  }
  return null;
}

/** A host as it stands in an address, e.g. `localhost:7878`. */
export function authorityOf({ name, port }: HostAndPort): string {
  return port === null ? name : `${name}:${port}`;
}
