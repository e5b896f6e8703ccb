/**
 * One text for all spellings of a JSON value.
 *
 * @module
 */

/** The deepest nesting that is taken: far below what overflows a stack. */
export const MAX_JSON_DEPTH = 512;

/**
 * Writes a JSON value with the keys of its objects in ascending order, so that two bodies that
 * differ in the order of keys or in blanks give the same text.
 *
 * @param value what `JSON.parse` gives; at most {@linkcode MAX_JSON_DEPTH} deep
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value)
    .sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0)
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(",")}}`;
}

/** Tells whether a value is nested no deeper than allowed; level by level, without recursion. */
export function isShallowJson(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_JSON_DEPTH) return false;
    level = level.flatMap((item) =>
      typeof item === "object" && item !== null ? Object.values(item) : []
    );
  }
  return true;
}
