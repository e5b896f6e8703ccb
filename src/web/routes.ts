/**
 * Holon's own pages and what they load.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { Route, RouteScope } from "../http/route.ts";
import { requireScope } from "../http/router.ts";
import { ASSETS, DOCS_PAGE, HOME_PAGE, ICON, PAIR_PAGE, SIGN_IN_PAGE } from "./built.ts";
import { ICON_HEADERS, PAGE_HEADERS } from "./headers.ts";

/** The routes of the home page, of the pages that sign one in, and of their assets. */
export function webRoutes(): readonly Route[] {
  return [
    textRoute("/", "read", "The home page.", HOME_PAGE, PAGE_HEADERS),
    textRoute("/api/docs", "read", "This reference, as a page.", DOCS_PAGE, PAGE_HEADERS),
    textRoute("/sign-in", "public", "The sign-in page.", SIGN_IN_PAGE, PAGE_HEADERS),
    textRoute("/pair", "public", "The page that a pairing link opens.", PAIR_PAGE, PAGE_HEADERS),
    ...["/favicon.ico", "/favicon.svg"].map((path) =>
      textRoute(path, "public", "The icon.", ICON, ICON_HEADERS)
    ),
    assetRoute(),
  ];
}

/** Scripts and styles; those of the pages that sign one in are sent to everybody. */
function assetRoute(): Route {
  const assets = new Map(ASSETS.map(({ path, type, isPublic, text }) => [path, {
    isPublic,
    response: textAnswer(text, {
      // The name changes with the content: a copy is good for ever.
      "cache-control": "private, max-age=31536000, immutable",
      "content-type": type,
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    }),
  }]));
  return {
    method: "GET",
    path: "/-/:asset",
    scope: "public",
    summary: "A script or a style of a page, by a name that changes with its content.",
    produces: "*/*",
    refusals: ["auth_required", "forbidden"],
    handler: (context) => {
      const asset = assets.get(`/-/${context.params["asset"]}`);
      if (asset?.isPublic !== true) requireScope(context, "read");
      if (asset !== undefined) return asset.response();
      throw new Fault("not_found", "There is no such part of a page", {
        hint: "The page may be of an earlier version: load it again.",
      });
    },
  };
}

function textRoute(
  path: string,
  scope: RouteScope,
  summary: string,
  text: string,
  headers: Readonly<Record<string, string>>,
): Route {
  const produces = headers["content-type"] ?? "text/html";
  return { method: "GET", path, scope, summary, produces, handler: textAnswer(text, headers) };
}

function textAnswer(text: string, headers: Readonly<Record<string, string>>): () => Response {
  const bytes = new TextEncoder().encode(text);
  const length = String(bytes.byteLength);
  return () => new Response(bytes, { headers: { ...headers, "content-length": length } });
}
