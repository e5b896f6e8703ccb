/**
 * Byte ranges (RFC 9110 §14): which bytes of a file a `Range` header asks for.
 *
 * @module
 */

/** What to send. */
export type RangeDecision =
  /** The whole file: no range, one that isn't understood, or several. */
  | { readonly kind: "whole" }
  /** The bytes from `start` up to, not including, `end`. */
  | { readonly kind: "part"; readonly start: number; readonly end: number }
  /** 416: the ranges are valid, and the file has none of their bytes. */
  | { readonly kind: "unsatisfiable" };

const WHOLE: RangeDecision = { kind: "whole" };
const UNSATISFIABLE: RangeDecision = { kind: "unsatisfiable" };
const UNIT = /^bytes=/i;
const INT_RANGE = /^(\d+)-(\d*)$/;
const SUFFIX_RANGE = /^-(\d+)$/;

/**
 * Decides on a `Range` value by the strict grammar (`design.md` decision 6): the unit in any case,
 * no blanks or signs, numbers of any length compared exactly. Several ranges are answered with the
 * whole file, unless not one of them can be satisfied.
 *
 * @param value the field value; several lines joined with commas
 * @param size of the file in bytes
 */
export function decideRange(value: string | null, size: number): RangeDecision {
  if (value === null || !UNIT.test(value)) return WHOLE;
  const specs = value.slice("bytes=".length).split(",")
    .map((spec) => spec.replace(/^[\t ]+|[\t ]+$/g, ""));
  const single = specs.length === 1;
  const decisions = single
    ? [decideSpec(value.slice("bytes=".length), size)]
    : specs.filter((spec) => spec !== "").map((spec) => decideSpec(spec, size));
  const [first] = decisions;
  if (first === undefined || decisions.includes(WHOLE)) return WHOLE;
  if (decisions.every((decision) => decision === UNSATISFIABLE)) return UNSATISFIABLE;
  return single ? first : WHOLE;
}

/** Decides on one range; a part, or one of the two constants. */
function decideSpec(spec: string, size: number): RangeDecision {
  const suffix = SUFFIX_RANGE.exec(spec)?.[1];
  if (suffix !== undefined) {
    const length = atMost(suffix, size);
    return length === 0 ? UNSATISFIABLE : { kind: "part", start: size - length, end: size };
  }
  const [, first, last = ""] = INT_RANGE.exec(spec) ?? [];
  if (first === undefined) return WHOLE;
  if (last !== "" && compareDigits(last, first) < 0) return WHOLE;
  const start = atMost(first, size);
  if (start === size) return UNSATISFIABLE;
  const end = last === "" ? size : Math.min(atMost(last, size) + 1, size);
  return { kind: "part", start, end };
}

/** The number that the digits tell, or `limit` where that is less: exact for any count of digits. */
function atMost(digits: string, limit: number): number {
  return compareDigits(digits, String(limit)) >= 0 ? limit : Number(digits);
}

/** Compares two decimal numbers by their digits: negative, zero or positive. */
function compareDigits(one: string, other: string): number {
  const left = one.replace(/^0+(?=\d)/, "");
  const right = other.replace(/^0+(?=\d)/, "");
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : left > right ? 1 : 0;
}
