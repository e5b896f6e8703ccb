/**
 * The OpenAPI document of a table of routes.
 *
 * @module
 */

import type { Route } from "../http/route.ts";
import { createRefusals, ERROR_SCHEMA } from "./answers.ts";
import { createJsonSchemas } from "./json_schemas.ts";
import { GROUPS, RESPONSE_HEADERS } from "./names.ts";
import { operationOf, templateOf } from "./operation.ts";
import type { ApiDocument, Operation } from "./types.ts";

/** What the table doesn't say. */
export interface DocumentOptions {
  readonly version: string;
  /** Whether a credential is needed for what isn't public. */
  readonly tokenRequired: boolean;
}

const DESCRIPTION =
  "Every address of this server. GET routes answer HEAD too, and every address answers OPTIONS. " +
  "A refusal is the JSON object `Error`; a browser that opens an address gets it as a page. " +
  "An address that is not here answers 404 `not_found`, another method 405 `method_not_allowed`. " +
  "Requests that are no proper HTTP are refused before any route: 400, 408, 414, 431 and 505. " +
  "Clients ignore fields and event types that they don't know.";

/** Makes the document, without the session's cookie: its name depends on who asks. */
export function apiDocument(routes: readonly Route[], options: DocumentOptions): ApiDocument {
  const { version, tokenRequired } = options;
  const schemas = createJsonSchemas();
  const refusals = createRefusals();
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) {
    const item = paths[templateOf(route.path)] ??= {};
    item[route.method.toLowerCase()] = operationOf(route, { schemas, refusals, tokenRequired });
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Holon",
      version,
      description: DESCRIPTION,
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    tags: GROUPS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA, ...schemas.named },
      responses: refusals.named,
      headers: RESPONSE_HEADERS,
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "The server's token, or a session's credential.",
        },
      },
    },
  };
}
