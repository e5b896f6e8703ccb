/**
 * Text as a person sees it: grapheme clusters (UAX #29), and how many cells each takes.
 *
 * `Intl.Segmenter` takes about 5 µs for each cluster, so that only what needs it is given to it: most
 * text is of characters that are clusters of their own.
 *
 * @module
 */

import stringWidth from "string-width";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Printable ASCII: each character is a cluster of one cell. */
const PLAIN = /^[\x20-\x7e]*$/;

/**
 * Characters that join with none of their own kind: Latin letters and signs (but © and ®, which may
 * be emoji), kana, ideographs, wide forms. Between two of them is always a boundary.
 */
const SIMPLE =
  "\\x20-\\x7e\\u00a1-\\u00a8\\u00aa-\\u00ac\\u00af-\\u02ff\\u3041-\\u3096\\u30a1-\\u30fa\\u3400-\\u4dbf" +
  "\\u4e00-\\u9fff\\uff01-\\uff60";
const IS_SIMPLE = new RegExp(`[${SIMPLE}]`);
/** Stretches of simple characters, and what is between with a simple one at each side. */
const STRETCHES = new RegExp(
  `([${SIMPLE}]+)(?=[${SIMPLE}]|$)|[${SIMPLE}]?[^${SIMPLE}]+(?:[${SIMPLE}][^${SIMPLE}]+)*[${SIMPLE}]?`,
  "g",
);

/** Terminals give a cluster two cells at most; string-width adds up some marks of music. */
const MAX_CELLS = 2;
/** Widths of clusters seen; emptied when full, so that hostile text can't grow it. */
const widths = new Map<string, number>();
const MAX_WIDTHS = 4096;

/** The clusters of a text, in order. */
export function graphemes(text: string): string[] {
  if (PLAIN.test(text)) return text.split("");
  const clusters: string[] = [];
  for (const [stretch, simple] of text.matchAll(STRETCHES)) {
    if (simple !== undefined) {
      for (let index = 0; index < simple.length; index++) clusters.push(simple[index] ?? "");
    } else {
      for (const { segment } of segmenter.segment(stretch)) clusters.push(segment);
    }
  }
  return clusters;
}

/** Cells that a text takes on one line. */
export function cellWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  const clusters = graphemes(text);
  let cells = 0;
  for (const cluster of clusters) cells += widthOf(cluster);
  return cells;
}

/** Cells that one cluster takes. */
export function widthOf(cluster: string): number {
  const code = cluster.charCodeAt(0);
  if (cluster.length === 1 && code >= 0x20 && code < 0x7f) return 1;
  const known = widths.get(cluster);
  if (known !== undefined) return known;
  const width = Math.min(MAX_CELLS, stringWidth(cluster));
  if (widths.size >= MAX_WIDTHS) widths.clear();
  widths.set(cluster, width);
  return width;
}

/** The start of the cluster before an index; 0 at the beginning. */
export function previousBoundary(text: string, index: number): number {
  if (index <= 1) return 0;
  const start = boundaryBefore(text, index - 1);
  let last = start;
  for (const { index: at } of segmenter.segment(text.slice(start, index))) last = start + at;
  return last;
}

/** The end of the cluster that begins at an index. */
export function nextBoundary(text: string, index: number): number {
  if (index >= text.length) return text.length;
  if (isBoundary(text, index + 1)) return index + 1;
  for (const { segment } of segmenter.segment(lineFrom(text, index))) return index + segment.length;
  return text.length;
}

/** The index itself where a cluster begins there, else the end of the cluster that it is in. */
export function snapForward(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  if (isBoundary(text, index)) return index;
  const start = boundaryBefore(text, index);
  const containing = segmenter.segment(lineFrom(text, start)).containing(index - start);
  if (containing === undefined || start + containing.index === index) return index;
  return start + containing.index + containing.segment.length;
}

/** The last place at or before an index that is surely a boundary. */
function boundaryBefore(text: string, index: number): number {
  let at = index;
  while (at > 0 && !isBoundary(text, at)) at--;
  return at;
}

/** Whether a boundary is there for sure: at the ends, around a line end, between simple ones. */
function isBoundary(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true;
  const before = text[index - 1] ?? "";
  const behind = text[index] ?? "";
  if (before === "\n" || behind === "\n") return true;
  return IS_SIMPLE.test(before) && IS_SIMPLE.test(behind);
}

/** From an index to the end of its line, the line end included. */
function lineFrom(text: string, index: number): string {
  const end = text.indexOf("\n", index);
  return text.slice(index, end < 0 ? text.length : end + 1);
}
