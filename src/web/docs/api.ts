/** The OpenAPI document, as the page uses it. */

import type {
  ApiDocument,
  ApiResponse,
  JsonSchema,
  Operation,
  Reference,
} from "../../reference/types.ts";

/** An operation with its place. */
export interface Endpoint {
  /** Its address on the page. */
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly operation: Operation;
}

/** Operations that belong together. */
export interface EndpointGroup {
  readonly name: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}

/** Gets the document; throws an `Error` with a sentence, and `signedOut` where that is why. */
export async function fetchDocument(): Promise<ApiDocument> {
  let response: Response;
  try {
    response = await fetch("/api/openapi.json", { credentials: "same-origin", cache: "no-store" });
  } catch {
    throw new Error("Holon can't be reached");
  }
  if (!response.ok) throw new Error(`Holon answered with ${response.status}`);
  return await response.json() as ApiDocument;
}

/** The groups of a document, each with its operations in their order. */
export function groupsOf(document: ApiDocument): readonly EndpointGroup[] {
  const endpoints = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Endpoint => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
    }))
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    endpoints: endpoints.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

/** The groups with what has all words of a query, in any part of what is shown; empty ones go. */
export function search(
  groups: readonly EndpointGroup[],
  query: string,
  document: ApiDocument,
): readonly EndpointGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
  if (words.length === 0) return groups;
  const fits = (endpoint: Endpoint) => {
    const text = textOf(endpoint, document);
    return words.every((word) => text.includes(word));
  };
  return groups
    .map((group) => ({ ...group, endpoints: group.endpoints.filter(fits) }))
    .filter(({ endpoints }) => endpoints.length > 0);
}

function textOf({ method, path, operation }: Endpoint, document: ApiDocument): string {
  const codes = Object.values(operation.responses).flatMap((response) =>
    responseOf(response, document)["x-codes"] ?? []
  );
  const parameters = operation.parameters?.map(({ name }) => name) ?? [];
  return [method, path, operation.summary, ...operation.tags, ...codes, ...parameters].join(" ")
    .toLowerCase();
}

/** A response, also where it is a link. */
export function responseOf(
  response: ApiResponse | Reference,
  { components }: ApiDocument,
): ApiResponse {
  if (!("$ref" in response)) return response;
  const name = response.$ref.slice("#/components/responses/".length);
  return components.responses[name] ?? { description: "" };
}

/** The name of the schema that a schema is a link to. */
export function nameOf(schema: JsonSchema): string | null {
  const link = schema["$ref"];
  return typeof link === "string" ? link.slice("#/components/schemas/".length) : null;
}

/** A schema, also where it is a link. */
export function schemaOf(schema: JsonSchema, { components }: ApiDocument): JsonSchema {
  const name = nameOf(schema);
  return name === null ? schema : components.schemas[name] ?? {};
}
