/**
 * What credentials are good for: each scope has those below it.
 *
 * @module
 */

import type { Principal, RouteScope } from "../http/route.ts";

/** What a credential is made for: `read` looks, `app` also uses apps, `control` does all. */
export type Scope = Exclude<RouteScope, "public">;

/** All scopes, the smallest first. */
export const SCOPES: readonly ["read", "app", "control"] = ["read", "app", "control"];

const INCLUDED: Readonly<Record<Scope, ReadonlySet<RouteScope>>> = {
  read: new Set(["public", "read"]),
  app: new Set(["public", "read", "app"]),
  control: new Set(["public", "read", "app", "control"]),
};

/** The scopes of routes that a credential of a scope opens. */
export function scopesWithin(scope: Scope): ReadonlySet<RouteScope> {
  return INCLUDED[scope];
}

/** The widest scope that a sender has; `null` for one without a credential. */
export function widestScope({ scopes }: Pick<Principal, "scopes">): Scope | null {
  return SCOPES.findLast((scope) => scopes.has(scope)) ?? null;
}

/** Whether a text is a scope. */
export function isScope(text: string): text is Scope {
  return (SCOPES as readonly string[]).includes(text);
}
