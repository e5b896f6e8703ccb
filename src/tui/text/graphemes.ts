/**
 * Text as a person sees it: grapheme clusters (UAX #29), and how many cells each takes.
 *
 * @module
 */

import stringWidth from "string-width";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Printable ASCII: each character is a cluster of one cell. */
const PLAIN = /^[\x20-\x7e]*$/;

/** Widths of clusters seen; emptied when full, so that hostile text can't grow it. */
const widths = new Map<string, number>();
const MAX_WIDTHS = 4096;
const MAX_CELLS = 2;

/** The clusters of a text, in order. */
export function graphemes(text: string): string[] {
  if (PLAIN.test(text)) return text.split("");
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Cells that a text takes on one line. */
export function cellWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return graphemes(text).reduce((sum, cluster) => sum + widthOf(cluster), 0);
}

/** The start of the cluster before an index; 0 at the beginning. */
export function previousBoundary(text: string, index: number): number {
  if (index <= 1) return 0;
  if (isPlainAt(text, index - 1) && isPlainAt(text, index - 2)) return index - 1;
  // A line end is always a boundary, so what is before it does not matter.
  const start = text.lastIndexOf("\n", index - 2) + 1;
  if (start >= index) return index - 1;
  let last = start;
  for (const { index: at } of segmenter.segment(text.slice(start, index))) last = start + at;
  return last;
}

/** The end of the cluster that begins at an index. */
export function nextBoundary(text: string, index: number): number {
  if (index >= text.length) return text.length;
  if (isPlainAt(text, index) && (index + 1 === text.length || isPlainAt(text, index + 1))) {
    return index + 1;
  }
  return clusterEnd(text, index) ?? text.length;
}

/** The index itself where a cluster begins there, else the end of the cluster that it is in. */
export function snapForward(text: string, index: number): number {
  if (index <= 0) return 0;
  if (index >= text.length) return text.length;
  const start = text.lastIndexOf("\n", index - 1) + 1;
  if (start === index) return index;
  const containing = segmenter.segment(lineFrom(text, start)).containing(index - start);
  if (containing === undefined || start + containing.index === index) return index;
  return start + containing.index + containing.segment.length;
}

function clusterEnd(text: string, index: number): number | undefined {
  for (const { segment } of segmenter.segment(lineFrom(text, index))) return index + segment.length;
  return undefined;
}

/** From an index to the end of its line, the line end included. */
function lineFrom(text: string, index: number): string {
  const end = text.indexOf("\n", index);
  return text.slice(index, end < 0 ? text.length : end + 1);
}

function isPlainAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return (code >= 0x20 && code < 0x7f) || code === 0x0a;
}

function widthOf(cluster: string): number {
  const known = widths.get(cluster);
  if (known !== undefined) return known;
  // Terminals give a cluster two cells at most; string-width adds up some marks of music.
  const width = Math.min(MAX_CELLS, stringWidth(cluster));
  if (widths.size >= MAX_WIDTHS) widths.clear();
  widths.set(cluster, width);
  return width;
}
