/**
 * Numbers in JSON that are beyond those of JavaScript.
 *
 * @module
 */

/**
 * Where a number may be that long: 200 digits, or an exponent of three. It begins behind what may
 * stand before a number, so that each is looked at once, whatever the text is.
 */
const MAY_OVERFLOW = /(?:^|[[:, \t\n\r])-?(?:\d{200}|\d[\d.]*[eE]\+?\d{3})/;

/**
 * Tells whether a number of a JSON text became infinite when it was parsed: it would be written
 * again as `null`. Ordinary texts are only searched; the value is walked where the search found
 * something, which may be inside a string.
 *
 * @param value what `JSON.parse` gave for the text
 */
export function hasInfiniteNumber(text: string, value: unknown): boolean {
  return MAY_OVERFLOW.test(text) && holdsInfinity(value);
}

/** Level by level, without recursion: the value may be hostile. */
function holdsInfinity(value: unknown): boolean {
  let level: unknown[] = [value];
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const item of level) {
      if (item === Infinity || item === -Infinity) return true;
      if (typeof item !== "object" || item === null) continue;
      for (const child of Object.values(item)) next.push(child);
    }
    level = next;
  }
  return false;
}
