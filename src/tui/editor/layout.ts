/**
 * The written text in rows of a width, and where in them the cursor is.
 *
 * @module
 */

import { graphemes, widthOf } from "../text/graphemes.ts";
import type { Editor } from "./editor.ts";

/** Rows and the cursor's place in them. */
export interface EditorLayout {
  readonly rows: readonly string[];
  /** Index of the cursor's row, and its cell there. */
  readonly row: number;
  readonly cell: number;
}

/** The rows that are shown: as many as fit, the cursor's among them. */
export interface VisibleRows extends EditorLayout {
  /** Rows above and below that are not shown. */
  readonly above: number;
  readonly below: number;
}

/** Lays the text out, breaking lines between clusters. */
export function layOut({ text, cursor }: Editor, width: number): EditorLayout {
  const room = Math.max(2, width);
  const rows: string[] = [];
  let row = 0;
  let cell = 0;
  let index = 0;
  for (const paragraph of text.split("\n")) {
    let current = "";
    let used = 0;
    for (const cluster of graphemes(paragraph)) {
      const cells = widthOf(cluster);
      if (used >= room || used + cells > room) {
        rows.push(current);
        current = "";
        used = 0;
      }
      if (index === cursor) [row, cell] = [rows.length, used];
      current += cluster;
      used += cells;
      index += cluster.length;
    }
    if (index === cursor) {
      // Behind a full row, the cursor stands on a row of its own.
      if (used >= room) {
        rows.push(current);
        current = "";
        used = 0;
      }
      [row, cell] = [rows.length, used];
    }
    rows.push(current);
    index += 1;
  }
  return { rows, row, cell };
}

/** The part of a layout that fits in so many rows. */
export function visibleRows(layout: EditorLayout, height: number): VisibleRows {
  const size = Math.min(Math.max(1, height), layout.rows.length);
  const first = Math.max(0, Math.min(layout.row - size + 1, layout.rows.length - size));
  return {
    rows: layout.rows.slice(first, first + size),
    row: layout.row - first,
    cell: layout.cell,
    above: first,
    below: layout.rows.length - first - size,
  };
}
