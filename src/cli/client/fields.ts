/**
 * Fields of an answer, whatever they are.
 *
 * @module
 */

/** The list under a name in an answer; empty when there is none. */
export function listIn(
  body: Record<string, unknown>,
  name: string,
): readonly Record<string, unknown>[] {
  const value = body[name];
  return Array.isArray(value)
    ? value.filter((item) => typeof item === "object" && item !== null)
    : [];
}

/** A field as text; empty for null and undefined. */
export function textOf(value: unknown): string {
  return value === null || value === undefined
    ? ""
    : typeof value === "string"
    ? value
    : JSON.stringify(value);
}
