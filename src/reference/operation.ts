/**
 * One route as an operation of the document.
 *
 * @module
 */

import type { Route } from "../http/route.ts";
import type { Refusals } from "./answers.ts";
import { resultsOf } from "./answers.ts";
import type { JsonSchemas } from "./json_schemas.ts";
import { GROUPS, type Meaning, PATH_PARAMETERS, REQUEST_HEADERS } from "./names.ts";
import type { JsonSchema, Operation, Parameter, SecurityRequirement } from "./types.ts";

/** What operations are made with. */
export interface OperationParts {
  readonly schemas: JsonSchemas;
  readonly refusals: Refusals;
  /** Whether a credential is needed for what isn't public. */
  readonly tokenRequired: boolean;
}

/** The path with its parameters in braces. */
export function templateOf(path: string): string {
  return path.replace(/:([a-z_]+)\+?/g, "{$1}");
}

/** The operation of a route. */
export function operationOf(route: Route, parts: OperationParts): Operation {
  const { schemas, refusals, tokenRequired } = parts;
  const parameters = [
    ...pathParameters(route.path),
    ...(route.query === undefined ? [] : queryParameters(schemas.ofInput(route.query))),
    ...(route.requestHeaders ?? []).map((name) => parameter("header", name, REQUEST_HEADERS)),
  ];
  return {
    operationId: operationId(route),
    tags: [groupOf(route.path)],
    summary: route.summary,
    security: securityOf(route, tokenRequired),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : {
      requestBody: {
        required: true,
        content: { "application/json": { schema: schemas.ofInput(route.body) } },
      },
    }),
    responses: { ...refusals.of(route), ...resultsOf(route, schemas) },
  };
}

// --- internal ---

function operationId({ method, path }: Route): string {
  const words = path.split(/[^a-z0-9]+/i).filter((word) => word !== "");
  return [method.toLowerCase(), ...words].join("_");
}

function groupOf(path: string): string {
  const group = GROUPS.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)));
  return group?.name ?? "Pages";
}

function securityOf({ scope }: Route, tokenRequired: boolean): readonly SecurityRequirement[] {
  if (scope === "public") return [];
  const ways = [{ bearer: [scope] }, { session: [scope] }];
  return tokenRequired ? ways : [{}, ...ways];
}

function pathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = ""]) =>
    parameter("path", name, PATH_PARAMETERS)
  );
}

function parameter(
  place: "header" | "path",
  name: string,
  meanings: Readonly<Record<string, Meaning>>,
): Parameter {
  const meaning = meanings[name];
  if (meaning === undefined) throw new Error(`The ${place} parameter ${name} means nothing yet`);
  return { name, in: place, required: place === "path", ...meaning };
}

function queryParameters(schema: JsonSchema): readonly Parameter[] {
  const required = new Set(schema["required"] as readonly string[] | undefined);
  return Object.entries(schema["properties"] as Readonly<Record<string, JsonSchema>>).map(
    ([name, { description, ...rest }]) => ({
      name,
      in: "query",
      required: required.has(name),
      ...(typeof description === "string" ? { description } : {}),
      schema: rest,
    }),
  );
}
