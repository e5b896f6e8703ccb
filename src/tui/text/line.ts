/**
 * Lines of the screen as data: spans with a style, cut and filled to a width in cells.
 *
 * @module
 */

import { cellWidth, graphemes } from "./graphemes.ts";

/** What a span means; the theme decides how that looks. */
export type Style = "accent" | "bad" | "bar" | "bold" | "dim" | "good" | "qr" | "selected" | "warn";

/** A stretch of text in one style. */
export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** One row of the screen. */
export type Line = readonly Span[];

/** A span. */
export function span(text: string, style?: Style): Span {
  return style === undefined ? { text } : { text, style };
}

/** A row of one span. */
export function line(text: string, style?: Style): Line {
  return [span(text, style)];
}

/** Cells that a row takes. */
export function lineWidth(row: Line): number {
  return row.reduce((sum, { text }) => sum + cellWidth(text), 0);
}

/** Cuts text to a width; an ellipsis shows that something is missing. */
export function cutText(text: string, width: number): string {
  if (width <= 0) return "";
  if (cellWidth(text) <= width) return text;
  let used = 0;
  let cut = "";
  for (const cluster of graphemes(text)) {
    const cells = cellWidth(cluster);
    if (used + cells > width - 1) break;
    used += cells;
    cut += cluster;
  }
  return `${cut}…`;
}

/** Cuts a row to a width. */
export function cutLine(row: Line, width: number): Line {
  const cut: Span[] = [];
  let left = width;
  for (const [index, { text, style }] of row.entries()) {
    const cells = cellWidth(text);
    if (cells <= left) {
      cut.push(span(text, style));
      left -= cells;
      continue;
    }
    // With no room even for an ellipsis, the span before gives up its last cell.
    if (left > 0 || index === 0) cut.push(span(cutText(text, left), style));
    else {
      const before = cut.pop();
      if (before !== undefined) {
        const shown = cutText(`${before.text}  `, cellWidth(before.text));
        cut.push(span(shown, before.style));
      }
    }
    break;
  }
  return cut;
}

/** Cuts and fills a row, so that it takes exactly that width. */
export function fillLine(row: Line, width: number, style?: Style): Line {
  const cut = cutLine(row, width);
  const missing = width - lineWidth(cut);
  return missing > 0 ? [...cut, span(" ".repeat(missing), style)] : cut;
}

/** A row with one part at each side; the right one gives way first. */
export function spread(left: Line, right: Line, width: number, style?: Style): Line {
  const used = lineWidth(left);
  const room = width - used - 1;
  if (room < 4) return fillLine(left, width, style);
  const cut = cutLine(right, room);
  return [...left, span(" ".repeat(width - used - lineWidth(cut)), style), ...cut];
}

/** Text in a column: cut or filled with blanks. */
export function column(text: string, width: number): string {
  const cut = cutText(text, width);
  return cut + " ".repeat(Math.max(0, width - cellWidth(cut)));
}

/** Breaks text into rows at blanks, or inside of words that are too long; at most so many rows. */
export function wrapText(text: string, width: number, maxRows: number = Infinity): string[] {
  const room = Math.max(1, width);
  const rows: string[] = [];
  for (const paragraph of text.split("\n")) {
    for (const row of wrapParagraph(paragraph, room)) {
      if (rows.length === maxRows) {
        const last = rows.pop() ?? "";
        rows.push(cutText(`${last} …`, room));
        return rows;
      }
      rows.push(row);
    }
  }
  return rows;
}

function* wrapParagraph(text: string, width: number): Generator<string> {
  let row = "";
  let cells = 0;
  for (const word of text.split(/(?<= )(?=[^ ])/)) {
    const wordCells = cellWidth(word.trimEnd());
    if (cells > 0 && cells + wordCells > width) {
      yield row.trimEnd();
      row = "";
      cells = 0;
    }
    if (wordCells <= width) {
      row += word;
      cells += cellWidth(word);
      continue;
    }
    for (const cluster of graphemes(word)) {
      const size = cellWidth(cluster);
      if (cells + size > width && cells > 0) {
        yield row;
        row = "";
        cells = 0;
      }
      row += cluster;
      cells += size;
    }
  }
  yield row.trimEnd();
}
