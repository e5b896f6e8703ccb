/**
 * `/api/openapi.json`: every route, as an OpenAPI document.
 *
 * @module
 */

import { z } from "zod";
import { cookieName } from "../auth/cookie.ts";
import { jsonResponse } from "../http/json.ts";
import type { Route } from "../http/route.ts";
import { VERSION } from "../version.ts";
import { apiDocument } from "./document.ts";
import type { ApiDocument } from "./types.ts";

const documentAnswer = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.unknown()),
});

/** The routes, and one more that describes them all, itself included. */
export function withReference(
  routes: readonly Route[],
  options: { readonly tokenRequired: boolean },
): readonly Route[] {
  let document: ApiDocument | undefined;
  const all: readonly Route[] = [...routes, {
    method: "GET",
    path: "/api/openapi.json",
    scope: "read",
    summary: "Gives this description of all routes, as OpenAPI 3.1.",
    response: documentAnswer,
    handler: (context) => {
      document ??= apiDocument(all, { ...options, version: VERSION });
      return jsonResponse(withCookie(document, cookieName(context.client.host)));
    },
  }];
  return all;
}

/** The cookie's name depends on the host and port that the client sees. */
function withCookie(document: ApiDocument, name: string): ApiDocument {
  const { components } = document;
  const session = {
    type: "apiKey",
    in: "cookie",
    name,
    description: "A session, as signing in gives it. The cookie's name ends in the port.",
  } as const;
  const securitySchemes = { ...components.securitySchemes, session };
  return { ...document, components: { ...components, securitySchemes } };
}
