/**
 * What a view is given, and what it makes of it.
 *
 * @module
 */

import { type Line, line, wrapText } from "../text/line.ts";

/** Room for a view. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

/** A view's rows: as many as there is room for, or fewer. */
export interface Pane {
  readonly title: string;
  readonly lines: readonly Line[];
  /** How far it can be scrolled. */
  readonly maxScroll: number;
}

/** The end of the rows, or what is `scroll` rows above it. */
export function fromEnd(title: string, rows: readonly Line[], room: Room, scroll: number): Pane {
  const maxScroll = Math.max(0, rows.length - room.height);
  const last = rows.length - Math.min(scroll, maxScroll);
  return { title, lines: rows.slice(Math.max(0, last - room.height), last), maxScroll };
}

/** The beginning of the rows, or what is `scroll` rows below it. */
export function fromStart(title: string, rows: readonly Line[], room: Room, scroll: number): Pane {
  const maxScroll = Math.max(0, rows.length - room.height);
  const first = Math.min(scroll, maxScroll);
  return { title, lines: rows.slice(first, first + room.height), maxScroll };
}

/** Rows with the chosen one in sight. */
export function around(
  title: string,
  rows: readonly Line[],
  room: Room,
  chosen: number,
): Pane {
  const most = Math.max(0, rows.length - room.height);
  const first = Math.max(0, Math.min(most, chosen - Math.floor(room.height / 2)));
  return { title, lines: rows.slice(first, first + room.height), maxScroll: 0 };
}

/** Rows that say why there is nothing. */
export function nothing(title: string, text: string, { width, height }: Room): Pane {
  const lines = wrapText(text, width, height).map((row) => line(row, "dim"));
  return { title, lines, maxScroll: 0 };
}
