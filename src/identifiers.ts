/**
 * The rule for agent ids, app ids and request types.
 *
 * @module
 */

import { Fault } from "./fault.ts";

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/**
 * Tells whether a string is a valid agent id, app id or request type: 1–128 ASCII letters, digits,
 * `-`, `_` or `.`, not beginning with a dot (`facts/holon.md` §d.1, `design.md` decision 3).
 */
export function isSegment(value: string): boolean {
  return SEGMENT.test(value);
}

/**
 * Returns the value if it is a valid segment.
 *
 * @param value the decoded value
 * @param what what it is, as the beginning of a sentence, e.g. `"The agent id"`
 * @throws {Fault} `bad_request`, or `forbidden` for a leading dot
 */
export function requireSegment(value: string, what: string): string {
  if (isSegment(value)) return value;
  if (/^\.[A-Za-z0-9._-]*$/.test(value)) {
    throw new Fault("forbidden", `${what} begins with a dot, and hidden names are not served`);
  }
  throw new Fault(
    "bad_request",
    `${what} is not valid: use 1 to 128 letters, digits, "-", "_" and "."`,
  );
}
