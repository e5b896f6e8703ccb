/**
 * What a Content-Security-Policy would block (W3C CSP Level 3 §6.7), as far as a check before
 * serving can tell: nonces and hashes are given the benefit of the doubt.
 *
 * @module
 */

import type { Hint, ReferenceUse } from "./reference.ts";

/** A policy taken apart: sources by directive. */
export type ContentPolicy = ReadonlyMap<string, readonly string[]>;

/** Where something comes from, seen from the page. */
export type PolicySource =
  | { readonly kind: "external"; readonly url: URL }
  | { readonly kind: "scheme"; readonly scheme: string }
  | { readonly kind: "self" };

/** The directives that govern a use; the first that the policy has decides (CSP §6.8.3). */
const DIRECTIVES: Readonly<Record<ReferenceUse, readonly string[]>> = {
  base: ["base-uri"],
  connect: ["connect-src", "default-src"],
  font: ["font-src", "default-src"],
  form: ["form-action"],
  frame: ["frame-src", "child-src", "default-src"],
  image: ["img-src", "default-src"],
  import: ["script-src-elem", "script-src", "default-src"],
  manifest: ["manifest-src", "default-src"],
  media: ["media-src", "default-src"],
  module: ["script-src-elem", "script-src", "default-src"],
  navigation: [],
  object: ["object-src", "default-src"],
  script: ["script-src-elem", "script-src", "default-src"],
  style: ["style-src-elem", "style-src", "default-src"],
  worker: ["worker-src", "child-src", "script-src", "default-src"],
};

/** Reads the value of the header; policies joined with commas all hold. */
export function parsePolicies(value: string): readonly ContentPolicy[] {
  return value.split(",").map((policy) => {
    const directives = new Map<string, readonly string[]>();
    for (const directive of policy.split(";")) {
      const [name, ...sources] = directive.trim().split(/\s+/);
      // The first of a name counts.
      if (name && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
    }
    return directives;
  });
}

/** The directive that blocks a use of something; `null` where none does. */
export function blockingDirective(
  policies: readonly ContentPolicy[],
  use: ReferenceUse,
  source: PolicySource,
): string | null {
  return firstThat(policies, DIRECTIVES[use], (sources) => {
    const isScript = DIRECTIVES[use].includes("script-src");
    if (isScript && sources.some(isUnpredictable)) return true;
    return sources.some((expression) => matches(expression.toLowerCase(), source));
  });
}

/** The directive that forbids what code does; `null` where none does. */
export function forbiddingDirective(
  policies: readonly ContentPolicy[],
  kind: Hint["kind"],
): string | null {
  const directives = kind === "inline_style"
    ? ["style-src-elem", "style-src", "default-src"]
    : kind === "inline_script"
    ? ["script-src-elem", "script-src", "default-src"]
    : ["script-src", "default-src"];
  const keywords = {
    eval: ["'unsafe-eval'"],
    inline_script: ["'unsafe-inline'"],
    inline_style: ["'unsafe-inline'"],
    wasm: ["'unsafe-eval'", "'wasm-unsafe-eval'"],
  }[kind];
  return firstThat(
    policies,
    directives,
    (sources) =>
      sources.some((source) =>
        keywords.includes(source.toLowerCase()) ||
        (kind.startsWith("inline") && isUnpredictable(source))
      ),
  );
}

// --- internal ---

function firstThat(
  policies: readonly ContentPolicy[],
  directives: readonly string[],
  allows: (sources: readonly string[]) => boolean,
): string | null {
  for (const policy of policies) {
    const name = directives.find((directive) => policy.has(directive));
    if (name !== undefined && !allows(policy.get(name) ?? [])) return name;
  }
  return null;
}

function isUnpredictable(source: string): boolean {
  return /^'(?:nonce-|sha(?:256|384|512)-|strict-dynamic')/i.test(source);
}

function matches(expression: string, source: PolicySource): boolean {
  if (source.kind === "self") return expression === "'self'" || expression === "*";
  if (source.kind === "scheme") return expression === source.scheme;
  const { protocol, hostname, port, pathname } = source.url;
  if (expression === "*") return true;
  if (/^[a-z][a-z0-9+.-]*:$/.test(expression)) return schemeMatches(expression, protocol);
  const [, scheme, wildcard, host, ownPort, path] =
    /^(?:([a-z][a-z0-9+.-]*:)\/\/)?(\*\.)?([^/:'*]+)(?::(\d+|\*))?(\/.*)?$/.exec(expression) ?? [];
  if (host === undefined) return false;
  if (scheme !== undefined && !schemeMatches(scheme, protocol)) return false;
  if (wildcard === undefined ? hostname !== host : !hostname.endsWith(`.${host}`)) return false;
  if (ownPort !== undefined && ownPort !== "*" && ownPort !== (port || defaultPort(protocol))) {
    return false;
  }
  if (ownPort === undefined && port !== "") return false;
  if (path === undefined || path === "/") return true;
  return path.endsWith("/") ? pathname.startsWith(path) : pathname === path;
}

/** A scheme also stands for its secure form (CSP §6.7.2.8). */
function schemeMatches(allowed: string, actual: string): boolean {
  const secure: Readonly<Record<string, readonly string[]>> = {
    "http:": ["http:", "https:"],
    "ws:": ["ws:", "wss:", "http:", "https:"],
    "wss:": ["wss:", "https:"],
  };
  return (secure[allowed] ?? [allowed]).includes(actual);
}

function defaultPort(protocol: string): string {
  return protocol === "https:" || protocol === "wss:" ? "443" : "80";
}
