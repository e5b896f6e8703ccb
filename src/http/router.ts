/**
 * Matches a request to a route; answers HEAD, OPTIONS, 404 and 405 once for all of them.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { API_HEADERS } from "./json.ts";
import type { RequestContext, Route, RouteMethod, RouteScope } from "./route.ts";
import { type RoutePattern, routePattern } from "./route_pattern.ts";
import { endStreamWith } from "./sse.ts";
import { decodePath } from "./target.ts";

/** What the router needs to know of a request before the parameters are known. */
export type UnroutedContext = Omit<RequestContext, "params">;

/** Answers a request or throws a `Fault`. */
export type Dispatch = (context: UnroutedContext) => Promise<Response>;

type Methods = Map<RouteMethod, Route>;

/** A path with its methods. */
interface Entry {
  readonly pattern: RoutePattern;
  readonly methods: Methods;
}

/**
 * Makes a dispatcher over a table of routes; the first path that matches wins. Paths are matched
 * raw, after `..` was refused, and parameters are decoded here, exactly once.
 */
export function createRouter(routes: readonly Route[]): Dispatch {
  const entries = new Map<string, Entry[]>();
  for (const [path, methods] of byPath(routes)) {
    const [, start = ""] = path.split("/");
    const entry = { pattern: routePattern(path), methods };
    entries.set(start, [...(entries.get(start) ?? []), entry]);
  }
  return async (context) => {
    const { rawPath, segments } = context.target;
    if (rawPath === "*") return optionsResponse(["DELETE", "GET", "PATCH", "POST", "PUT"]);
    decodePath(rawPath);
    // Routes begin with a literal segment, so that only those with the right one need to be tried.
    for (const { pattern, methods } of entries.get(segments[0] ?? "") ?? []) {
      const params = pattern(rawPath);
      if (params !== null) return await answer(methods, { ...context, params: decoded(params) });
    }
    requireScope(context, "read");
    throw new Fault("not_found", "There is nothing at this address", {
      hint: "The home page at / lists what is here.",
    });
  };
}

/**
 * Refuses a request whose sender lacks a scope.
 *
 * @throws {Fault} `auth_required` without a credential, `too_many_attempts` with one wrong one too
 * many, `forbidden` with one that lacks the scope
 */
export function requireScope(context: UnroutedContext, scope: RouteScope): void {
  if (scope === "public" || context.principal.scopes.has(scope)) return;
  const { kind, rejection } = context.principal;
  if (kind === "anonymous") {
    if (rejection !== undefined && rejection.waitS > 0) throw tooManyAttempts(rejection.waitS);
    throw new Fault("auth_required", "This needs a token or a session", {
      hint: "Sign in at /sign-in, or send the header Authorization: Bearer <token>.",
      context: {
        auth_reason_code: rejection === undefined ? "auth_required" : "session_invalid_or_expired",
      },
    });
  }
  throw new Fault("forbidden", `This needs a credential with the scope "${scope}"`);
}

/** The refusal of a wrong credential from where too many came. A right one is never refused. */
export function tooManyAttempts(waitS: number): Fault {
  return new Fault("too_many_attempts", "That is a wrong credential, as were too many before", {
    hint: `Try again in ${waitS} s. A right one is accepted at any time.`,
    headers: { "retry-after": String(waitS) },
  });
}

// --- internal ---

function byPath(routes: readonly Route[]): Map<string, Methods> {
  const paths = new Map<string, Methods>();
  for (const route of routes) {
    const methods: Methods = paths.get(route.path) ?? new Map();
    if (methods.has(route.method)) throw new Error(`Two routes: ${route.method} ${route.path}`);
    methods.set(route.method, route);
    paths.set(route.path, methods);
  }
  return paths;
}

async function answer(methods: Methods, context: RequestContext): Promise<Response> {
  const { request } = context;
  const isHead = request.method === "HEAD";
  const route = methods.get((isHead ? "GET" : request.method) as RouteMethod);
  if (route !== undefined) {
    if (context.trail !== undefined) {
      context.trail.route = route;
      context.trail.params = context.params;
    }
    requireScope(context, route.scope);
    if (context.trail !== undefined) context.trail.handled = true;
    const response = await route.handler(context);
    endStreamWith(response, context.principal);
    return isHead ? withoutBody(response) : response;
  }
  const allowed = [...methods.keys()];
  if (request.method === "OPTIONS") return optionsResponse(allowed);
  requireScope(context, leastScope(methods));
  throw new Fault("method_not_allowed", `This address does not take ${request.method}`, {
    headers: { allow: allowHeader(allowed) },
  });
}

function leastScope(methods: Methods): RouteScope {
  return [...methods.values()].some((route) => route.scope === "public") ? "public" : "read";
}

/** The listener sends no body for HEAD anyway; a body that was made is let go of at once. */
function withoutBody(response: Response): Response {
  if (response.body === null) return response;
  response.body.cancel().catch(() => {});
  const { status, headers } = response;
  return new Response(null, { status, headers: [...headers] });
}

function optionsResponse(methods: readonly RouteMethod[]): Response {
  return new Response(null, {
    status: 204,
    headers: { ...API_HEADERS, allow: allowHeader(methods) },
  });
}

function allowHeader(methods: readonly RouteMethod[]): string {
  const head = methods.includes("GET") ? ["HEAD"] : [];
  return [...methods, ...head, "OPTIONS"].sort().join(", ");
}

function decoded(params: Record<string, string>): Record<string, string> {
  for (const name in params) params[name] = decodePath(params[name]!);
  return params;
}
