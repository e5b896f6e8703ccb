/**
 * As much of JSON Schema (draft 2020-12) as our own documents use.
 *
 * @module
 */

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** How strictly to check. */
export interface CheckOptions {
  /** Finds what a `$ref` names. */
  readonly resolve: (reference: string) => Schema;
  /** Objects may have no fields but those that are named, unless others are allowed expressly. */
  readonly closed: boolean;
}

const KNOWN: ReadonlySet<string> = new Set([
  ...["$ref", "additionalProperties", "anyOf", "const", "default", "description", "enum"],
  ...["examples", "format", "items", "maximum", "maxItems", "maxLength", "minimum", "minLength"],
  ...["pattern", "properties", "required", "type"],
]);

/** What is wrong with a value, each as a sentence with its place; nothing for a sound one. */
export function schemaProblems(
  value: unknown,
  schema: Schema,
  options: CheckOptions,
  at = "$",
): readonly string[] {
  const unknown = Object.keys(schema).filter((key) => !KNOWN.has(key));
  if (unknown.length > 0) return [`${at}: this check doesn't know ${unknown}`];
  const { $ref, anyOf } = schema;
  if (typeof $ref === "string") return schemaProblems(value, options.resolve($ref), options, at);
  if (Array.isArray(anyOf)) {
    const attempts = anyOf.map((choice) => schemaProblems(value, choice, options, at));
    return attempts.some((problems) => problems.length === 0) ? [] : attempts.flat();
  }
  return [
    ...typeProblems(value, schema, at),
    ...(typeof value === "string" ? textProblems(value, schema, at) : []),
    ...(typeof value === "number" ? numberProblems(value, schema, at) : []),
    ...(Array.isArray(value) ? listProblems(value, schema, options, at) : []),
    ...(isRecord(value) ? objectProblems(value, schema, options, at) : []),
  ];
}

function typeProblems(value: unknown, schema: Schema, at: string): readonly string[] {
  const problems: string[] = [];
  const types = schema["type"] === undefined ? [] : [schema["type"]].flat() as string[];
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    problems.push(`${at}: ${JSON.stringify(value)} is no ${types.join(" or ")}`);
  }
  if ("const" in schema && schema["const"] !== value) {
    problems.push(`${at}: ${JSON.stringify(value)} is not ${JSON.stringify(schema["const"])}`);
  }
  if (Array.isArray(schema["enum"]) && !schema["enum"].includes(value)) {
    problems.push(`${at}: ${JSON.stringify(value)} is none of ${schema["enum"]}`);
  }
  return problems;
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default: {
      const actual = typeof value;
      return actual === type;
    }
  }
}

function textProblems(value: string, schema: Schema, at: string): readonly string[] {
  const { pattern, format, minLength = 0, maxLength = Infinity } = schema;
  const problems: string[] = [];
  if (typeof pattern === "string" && !new RegExp(pattern, "u").test(value)) {
    problems.push(`${at}: ${JSON.stringify(value)} does not match ${pattern}`);
  }
  if (format === "date-time" && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) {
    problems.push(`${at}: ${JSON.stringify(value)} is no time`);
  }
  if (value.length < Number(minLength) || value.length > Number(maxLength)) {
    problems.push(`${at}: has ${value.length} characters`);
  }
  return problems;
}

function numberProblems(value: number, schema: Schema, at: string): readonly string[] {
  const { minimum = -Infinity, maximum = Infinity } = schema;
  const fits = value >= Number(minimum) && value <= Number(maximum);
  return fits ? [] : [`${at}: ${value} is out of its range`];
}

function listProblems(
  value: readonly unknown[],
  schema: Schema,
  options: CheckOptions,
  at: string,
): readonly string[] {
  const { items, maxItems = Infinity } = schema;
  return [
    ...(value.length > Number(maxItems) ? [`${at}: has ${value.length} items`] : []),
    ...(isRecord(items)
      ? value.flatMap((item, index) => schemaProblems(item, items, options, `${at}[${index}]`))
      : []),
  ];
}

function objectProblems(
  value: Schema,
  schema: Schema,
  options: CheckOptions,
  at: string,
): readonly string[] {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const others = schema["additionalProperties"] ??
    !(options.closed && schema["properties"] !== undefined);
  const missing = ((schema["required"] ?? []) as string[]).filter((name) => !(name in value));
  const problems = missing.map((name) => `${at}: lacks ${name}`);
  for (const [name, inner] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const place = `${at}.${name}`;
    if (known !== undefined) problems.push(...schemaProblems(inner, known, options, place));
    else if (others === false) problems.push(`${place}: is not in the schema`);
    else if (isRecord(others)) problems.push(...schemaProblems(inner, others, options, place));
  }
  return problems;
}

function isRecord(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
