/**
 * Zod's schemas as JSON Schemas of one document: named ones once, the others where they stand.
 *
 * @module
 */

import { z } from "zod";
import type { JsonSchema } from "./types.ts";

/** Collects the named schemas of a document. */
export interface JsonSchemas {
  /** The schema of something that clients send: its defaults may be left out. */
  ofInput(schema: z.ZodType): JsonSchema;
  /** The schema of an answer: it may gain fields later, so unknown ones are not excluded. */
  ofOutput(schema: z.ZodType): JsonSchema;
  /** The named ones so far, by name. */
  readonly named: Readonly<Record<string, JsonSchema>>;
}

const DEFINITION = "#/$defs/";
const COMPONENT = "#/components/schemas/";

/** Makes an empty collection. */
export function createJsonSchemas(): JsonSchemas {
  const named: Record<string, JsonSchema> = {};

  function convert(schema: z.ZodType, io: "input" | "output"): JsonSchema {
    const { $schema: _dialect, $defs, ...own } = z.toJSONSchema(schema, { io });
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const clean = cleaned(definition, io) as JsonSchema;
      const before = named[name];
      if (before !== undefined && JSON.stringify(before) !== JSON.stringify(clean)) {
        throw new Error(`Two schemas are named ${name}`);
      }
      named[name] = clean;
    }
    return cleaned(own, io) as JsonSchema;
  }

  return {
    ofInput: (schema) => convert(schema, "input"),
    ofOutput: (schema) => convert(schema, "output"),
    named,
  };
}

// --- internal ---

/** With links into the document, and without what says nothing to a reader. */
function cleaned(value: unknown, io: "input" | "output"): unknown {
  if (Array.isArray(value)) return value.map((item) => cleaned(item, io));
  if (typeof value !== "object" || value === null) return value;
  const source = value as Readonly<Record<string, unknown>>;
  const clean: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(source)) {
    if (isNoise(key, inner, source, io)) continue;
    clean[key] = key === "$ref" && typeof inner === "string"
      ? inner.replace(DEFINITION, COMPONENT)
      : cleaned(inner, io);
  }
  return clean;
}

function isNoise(key: string, value: unknown, schema: JsonSchema, io: "input" | "output"): boolean {
  switch (key) {
    case "additionalProperties":
      return value === false && io === "output";
    // The format says it; the pattern has four hundred characters.
    case "pattern":
      return schema["format"] === "date-time";
    case "minimum":
      return value === Number.MIN_SAFE_INTEGER;
    case "maximum":
      return value === Number.MAX_SAFE_INTEGER;
    case "propertyNames":
      return JSON.stringify(value) === '{"type":"string"}';
    default:
      return false;
  }
}
