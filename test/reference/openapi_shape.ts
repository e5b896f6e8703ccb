/**
 * What an OpenAPI 3.1 document has to look like, after its specification
 * (https://spec.openapis.org/oas/v3.1.1), as far as this server's has such parts.
 *
 * @module
 */

import { z } from "zod";

const text = z.string().min(1);
const componentName = z.string().regex(/^[A-Za-z0-9._-]+$/);
const reference = z.strictObject({ $ref: z.string().regex(/^#\//) });
const extensions = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith("x-")));

const TYPES = z.enum(["array", "boolean", "integer", "null", "number", "object", "string"]);

/** A JSON Schema, draft 2020-12. */
const schema: z.ZodType = z.lazy(() =>
  z.strictObject({
    $ref: z.string().optional(),
    additionalProperties: z.union([z.boolean(), schema]).optional(),
    anyOf: z.array(schema).min(1).optional(),
    const: z.unknown().optional(),
    default: z.unknown().optional(),
    description: text.optional(),
    enum: z.array(z.unknown()).min(1).optional(),
    examples: z.array(z.unknown()).optional(),
    format: text.optional(),
    items: schema.optional(),
    maxItems: z.int().min(0).optional(),
    maxLength: z.int().min(0).optional(),
    maximum: z.number().optional(),
    minLength: z.int().min(0).optional(),
    minimum: z.number().optional(),
    pattern: z.string().refine((pattern) => new RegExp(pattern, "u") instanceof RegExp).optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(text).optional(),
    type: z.union([TYPES, z.array(TYPES)]).optional(),
  })
);

const header = z.strictObject({ description: text, schema });
const mediaType = z.preprocess(
  (value) => extensions(value as object),
  z.strictObject({ schema: schema.optional() }),
);
const content = z.record(
  z.string().regex(/^[*a-z]+\/[*a-z0-9.+-]+(?:; [a-z0-9.=-]+)*$/),
  mediaType,
);
const response = z.preprocess(
  (value) => extensions(value as object),
  z.strictObject({
    description: text,
    headers: z.record(text, z.union([reference, header])).optional(),
    content: content.optional(),
  }),
);
const parameter = z.discriminatedUnion("in", [
  z.strictObject({
    name: text,
    in: z.literal("path"),
    required: z.literal(true),
    description: text.optional(),
    schema,
  }),
  z.strictObject({
    name: text,
    in: z.enum(["header", "query"]),
    required: z.boolean(),
    description: text.optional(),
    schema,
  }),
]);
const operation = z.strictObject({
  operationId: text,
  tags: z.array(text).length(1),
  summary: text,
  security: z.array(z.record(text, z.array(text))),
  parameters: z.array(parameter).min(1).optional(),
  requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
  responses: z.record(
    z.string().regex(/^[1-5]\d\d$/),
    z.union([reference, response]),
  ).refine((responses) => Object.keys(responses).some((status) => status < "400")),
});

/** The document. */
export const openApiShape: z.ZodType = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({
    title: text,
    version: text,
    description: text,
    license: z.strictObject({ name: text, identifier: text }),
  }),
  servers: z.array(z.strictObject({ url: text })).min(1),
  tags: z.array(z.strictObject({ name: text, description: text })),
  paths: z.record(
    z.string().regex(/^\/(?:[^{}]|\{[a-z_]+\})*$/),
    z.strictObject({
      get: operation.optional(),
      put: operation.optional(),
      post: operation.optional(),
      delete: operation.optional(),
      patch: operation.optional(),
    }),
  ),
  components: z.strictObject({
    schemas: z.record(componentName, schema),
    responses: z.record(componentName, response),
    headers: z.record(componentName, header),
    securitySchemes: z.record(
      componentName,
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("http"), scheme: text, description: text }),
        z.strictObject({
          type: z.literal("apiKey"),
          in: z.enum(["cookie", "header", "query"]),
          name: text,
          description: text,
        }),
      ]),
    ),
  }),
});
