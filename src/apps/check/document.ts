/**
 * A text that is looked into, and what its addresses are relative to.
 *
 * @module
 */

/** How a text is read. */
export type DocumentKind = "classic" | "css" | "html" | "module";

/** A page, a style sheet or a script of the app. */
export interface CheckedDocument {
  readonly kind: DocumentKind;
  /** Path below the app's root. */
  readonly path: string;
  /** Where it is served. */
  readonly address: URL;
  /** What addresses in the page are relative to that it belongs to. */
  readonly base: URL;
  /** The page's import map. */
  readonly imports: ReadonlyMap<string, string>;
  /** Whether the app itself leads here; what a forgotten page lacks is no error. */
  readonly isReached: boolean;
}

/** Tells the line of an offset, from 1. */
export function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
