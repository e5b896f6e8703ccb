/**
 * The parts of an OpenAPI 3.1 document that are made here (https://spec.openapis.org/oas/v3.1.1).
 *
 * @module
 */

import type { RouteMethod } from "../http/route.ts";

/** A JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A link to a part of the document. */
export interface Reference {
  readonly $ref: string;
}

/** What is sent, by media type. */
export type Content = Readonly<Record<string, MediaType>>;

/** The shape of what is sent. */
export interface MediaType {
  readonly schema?: JsonSchema;
  /** Of an event stream: the shape of the data of its events. */
  readonly "x-event-data"?: JsonSchema;
}

/** A header of an answer. */
export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
}

/** An answer. */
export interface ApiResponse {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Content;
  /** Machine codes of the refusals with this status. */
  readonly "x-codes"?: readonly string[];
}

/** A part of a request other than its body. */
export interface Parameter {
  readonly name: string;
  readonly in: "header" | "path" | "query";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** One way to be let in: schemes with their scopes; none at all where nothing is needed. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** One method of one path. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security: readonly SecurityRequirement[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: true; readonly content: Content };
  readonly responses: Readonly<Record<string, ApiResponse | Reference>>;
}

/** The methods of a path, by their names in lower case. */
export type PathItem = Readonly<Partial<Record<Lowercase<RouteMethod>, Operation>>>;

/** How one is let in. */
export type SecurityScheme =
  | { readonly type: "apiKey"; readonly in: "cookie"; readonly name: string; description: string }
  | { readonly type: "http"; readonly scheme: "bearer"; description: string };

/** A group of operations. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** The whole document. */
export interface ApiDocument {
  readonly openapi: "3.1.1";
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ApiResponse>>;
    readonly headers: Readonly<Record<string, Header>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}
