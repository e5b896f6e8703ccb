/** A JSON Schema as a list of fields that a person can read. */

import { type ComponentChildren, h } from "preact";
import type { ApiDocument, JsonSchema } from "../../reference/types.ts";
import { nameOf, schemaOf } from "./api.ts";
import { prose } from "./prose.ts";

type Fields = Readonly<Record<string, JsonSchema>>;

/** Nested shapes are shown so deep. */
const MAX_DEPTH = 6;

/** The fields of a shape, one in the other; nothing where it has none. */
export function Shape(
  { schema, document, depth = 0 }: { schema: JsonSchema; document: ApiDocument; depth?: number },
): ComponentChildren {
  const fields = fieldsOf(schema, document);
  if (fields === null || depth > MAX_DEPTH) return null;
  const required = new Set(fields.schema["required"] as readonly string[] | undefined);
  return h(
    "ul",
    { class: "shape" },
    Object.entries(fields.schema["properties"] as Fields).map(([name, field]) =>
      h("li", { key: name }, [
        h("code", { class: "field" }, name),
        " ",
        h("span", { class: "type" }, typeText(field, document)),
        required.has(name) ? null : h("span", { class: "words" }, " · optional"),
        h(Words, { schema: field }),
        h(Shape, { schema: field, document, depth: depth + 1 }),
      ])
    ),
  );
}

/** What is said about a value: its meaning, default and bounds. */
export function Words({ schema }: { schema: JsonSchema }): ComponentChildren {
  const { description } = schema;
  const words = [
    typeof description === "string" ? description : null,
    "default" in schema ? `Default: ${JSON.stringify(schema["default"])}.` : null,
    boundsText(schema),
  ].filter((word) => word !== null);
  return words.length === 0
    ? null
    : h("span", { class: "words" }, [" · ", ...prose(words.join(" "))]);
}

/** The type of a value in a few words. */
export function typeText(schema: JsonSchema, document: ApiDocument): string {
  const name = nameOf(schema);
  if (name !== null) return name;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  const choices = schema["enum"];
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  const anyOf = schema["anyOf"];
  if (Array.isArray(anyOf)) {
    return anyOf.map((choice: JsonSchema) => typeText(choice, document)).join(" or ");
  }
  const type = schema["type"];
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") {
    return `list of ${typeText((schema["items"] ?? {}) as JsonSchema, document)}`;
  }
  if (schema["format"] === "date-time") return "time";
  return typeof type === "string" ? type : "any JSON";
}

/** The object in a schema: itself, what it links to, what its list holds, or its one choice. */
function fieldsOf(
  schema: JsonSchema,
  document: ApiDocument,
): { readonly schema: JsonSchema } | null {
  const own = schemaOf(schema, document);
  if (own["properties"] !== undefined) return { schema: own };
  const inner = own["items"] ?? own["additionalProperties"];
  if (typeof inner === "object" && inner !== null) return fieldsOf(inner as JsonSchema, document);
  const anyOf = own["anyOf"];
  if (!Array.isArray(anyOf)) return null;
  const found = anyOf.map((choice: JsonSchema) => fieldsOf(choice, document));
  return found.find((choice) => choice !== null) ?? null;
}

function boundsText(schema: JsonSchema): string | null {
  const { minimum, maximum, maxLength, maxItems } = schema;
  if (typeof minimum === "number" && typeof maximum === "number") {
    return `From ${minimum} to ${maximum}.`;
  }
  if (typeof maxLength === "number") return `At most ${maxLength} characters.`;
  return typeof maxItems === "number" ? `At most ${maxItems}.` : null;
}
