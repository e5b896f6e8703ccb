/**
 * Holon's own pages and what they load.
 *
 * @module
 */

import type { Route, RouteScope } from "../http/route.ts";
import { ASSETS, HOME_PAGE, ICON, SIGN_IN_PAGE } from "./built.ts";
import { ICON_HEADERS, PAGE_HEADERS } from "./headers.ts";

/** The routes of the home page, the sign-in page and their assets. */
export function webRoutes(): readonly Route[] {
  return [
    textRoute("/", "read", "The home page.", HOME_PAGE, PAGE_HEADERS),
    textRoute("/sign-in", "public", "The sign-in page.", SIGN_IN_PAGE, PAGE_HEADERS),
    ...["/favicon.ico", "/favicon.svg"].map((path) =>
      textRoute(path, "public", "The icon.", ICON, ICON_HEADERS)
    ),
    ...ASSETS.map(({ path, type, isPublic, text }) =>
      textRoute(path, isPublic ? "public" : "read", "A part of a page.", text, {
        // The name changes with the content: a copy is good for ever.
        "cache-control": "private, max-age=31536000, immutable",
        "content-type": type,
        "cross-origin-resource-policy": "same-origin",
        "x-content-type-options": "nosniff",
      })
    ),
  ];
}

function textRoute(
  path: string,
  scope: RouteScope,
  summary: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): Route {
  const bytes = new TextEncoder().encode(text);
  const length = String(bytes.byteLength);
  return {
    method: "GET",
    path,
    scope,
    summary,
    handler: () => new Response(bytes, { headers: { ...headers, "content-length": length } }),
  };
}
