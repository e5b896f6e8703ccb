/**
 * Where an address of a page leads, as a browser would resolve it (WHATWG URL).
 *
 * @module
 */

/** Where an address leads. */
export type Place =
  /** Into the app; its root has no components. */
  | { readonly kind: "inside"; readonly components: readonly string[]; readonly isFolder: boolean }
  /** To an address of Holon that is not the app's. */
  | { readonly kind: "outside"; readonly path: string; readonly isAbsolute: boolean }
  /** To another site. */
  | { readonly kind: "external"; readonly url: URL }
  /** Nowhere that is asked over HTTP: `data:`, `blob:`, `mailto:` and the like. */
  | { readonly kind: "local"; readonly scheme: string }
  /** It is no address, or one that is refused. */
  | { readonly kind: "malformed" };

/** Where an app is served. */
export interface AppPlace {
  /** `null` when the folder is in no home: any agent's may be meant. */
  readonly agentId: string | null;
  readonly appId: string;
  /** Whether it is at the root of an origin of its own. */
  readonly hasOwnOrigin: boolean;
}

/** An origin that no address names. */
const ORIGIN = "http://holon.invalid";
const ANY_AGENT = "_";

/** The path of the app's root, with a slash at the end. */
export function rootOf({ agentId, appId, hasOwnOrigin }: AppPlace, unknown: string): string {
  return hasOwnOrigin ? "/" : `/apps/${agentId ?? unknown}/${encodeURIComponent(appId)}/`;
}

/** The address of the app's root, or of a file below it. */
export function addressOf(app: AppPlace, path: string): URL {
  const below = path.split("/").map(encodeURIComponent).join("/");
  return new URL(`${ORIGIN}${rootOf(app, ANY_AGENT)}${below}`);
}

/** Resolves an address; `null` where it can't be. */
export function resolveAddress(url: string, base: URL): URL | null {
  return URL.canParse(url, base) ? new URL(url, base) : null;
}

/** Says where an address leads that stands in a text with this base. */
export function placeOf(url: string, base: URL, app: AppPlace): Place {
  const resolved = resolveAddress(url, base);
  if (resolved === null) return { kind: "malformed" };
  if (resolved.origin !== ORIGIN) {
    return /^(?:https?|wss?):$/.test(resolved.protocol)
      ? { kind: "external", url: resolved }
      : { kind: "local", scheme: resolved.protocol };
  }
  const below = pathInApp(resolved, app);
  if (below === null) {
    const isAbsolute = /^[\\/](?![\\/])/.test(url);
    return { kind: "outside", path: resolved.pathname, isAbsolute };
  }
  try {
    const components = decodeURIComponent(below).split("/")
      .filter((component) => component !== "");
    return { kind: "inside", components, isFolder: below === "" || below.endsWith("/") };
  } catch {
    return { kind: "malformed" };
  }
}

// --- internal ---

/** What follows the app's root in an address, still encoded; `null` for one outside. */
function pathInApp({ pathname }: URL, { agentId, appId, hasOwnOrigin }: AppPlace): string | null {
  if (hasOwnOrigin) return pathname.slice(1);
  const [, top, agent = "", id = "", below] =
    /^\/([^/]*)\/([^/]*)\/([^/]*)\/(.*)$/.exec(pathname) ??
      [];
  if (top !== "apps" || below === undefined || id !== encodeURIComponent(appId)) return null;
  return agentId === null || agent === agentId ? below : null;
}
