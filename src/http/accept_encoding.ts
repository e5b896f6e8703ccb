/**
 * `Accept-Encoding` (RFC 9110 §12.5.3): which codings a client takes rather than none.
 *
 * @module
 */

/** The codings that Holon sends files in, in the order that is preferred at equal weights. */
export const CONTENT_CODINGS = ["br", "zstd", "gzip"] as const;

/** A content coding by its registered name (RFC 9110 §8.4.1, RFC 7932, RFC 8878). */
export type ContentCoding = typeof CONTENT_CODINGS[number];

const ITEM =
  /^[\t ]*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[\t ]*;[\t ]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?[\t ]*$/;

/**
 * Returns the codings that a client accepts and likes no less than the plain bytes, best first.
 * Without the field it gives none: a client that says nothing may not understand any. List items
 * that break the grammar are passed over; of an item named twice the lower weight counts.
 *
 * @param value the field value; several lines joined with commas
 */
export function acceptedCodings(value: string | null): readonly ContentCoding[] {
  if (value === null) return [];
  const weights = weightsOf(value);
  const any = weights.get("*") ?? 0;
  // What is not named is acceptable without a coding, but least of all.
  const plain = weights.get("identity") ?? any;
  const weightOf = (coding: ContentCoding) => weights.get(coding) ?? any;
  return CONTENT_CODINGS.filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= plain)
    .sort((one, other) => weightOf(other) - weightOf(one));
}

function weightsOf(value: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const item of value.split(",")) {
    const [, name = "", q = "1"] = ITEM.exec(item) ?? [];
    if (name === "") continue;
    const lower = name.toLowerCase();
    // RFC 9110 §8.4.1.3: an old name of the same coding.
    const coding = lower === "x-gzip" ? "gzip" : lower;
    weights.set(coding, Math.min(Number(q), weights.get(coding) ?? 1));
  }
  return weights;
}
