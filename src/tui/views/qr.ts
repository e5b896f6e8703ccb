/**
 * An app's address as a QR code, for a phone's camera.
 *
 * @module
 */

import { encode } from "uqr";
import { sharedAppUrl } from "../state/selectors.ts";
import type { TuiState } from "../state/types.ts";
import { type Line, line, span, wrapText } from "../text/line.ts";
import { fromStart, nothing, type Pane, type Room } from "./pane.ts";

/** Light modules around the code; the standard asks for four, cameras do with two. */
const BORDER = 2;

/** Draws the view. */
export function qrPane(state: TuiState, room: Room): Pane {
  const app = state.apps.find((it) => it.id === state.view.subject);
  if (app === undefined) return nothing("QR code", "The app is not there any more.", room);
  const url = sharedAppUrl(state, app);
  if (url === null) {
    return nothing("QR code", "The server does not say at which address it is.", room);
  }
  const title = `QR code of ${app.id}`;
  const address = wrapText(url, room.width).map((row) => line(row, "bold"));
  const note = isLoopback(url)
    ? wrapText(
      "Only this machine reaches that address. Start the server with --access lan for a phone.",
      room.width,
    ).map((row) => line(row, "warn"))
    : [];
  const code = qrLines(url);
  const width = code[0]?.[0]?.text.length ?? 0;
  if (width > room.width || code.length > room.height) {
    const text = `The code needs ${width} by ${code.length + 4} cells: make the terminal larger, ` +
      "or type the address.";
    const rows = [
      ...address,
      ...wrapText(text, room.width).map((row) => line(row, "dim")),
      ...note,
    ];
    return fromStart(title, rows, room, 0);
  }
  // The code comes first and whole; the rest as far as there is room.
  return fromStart(title, [...code, ...address, ...note], room, 0);
}

/** A code in half blocks: two modules a cell, light ones drawn, so that a dark screen does. */
export function qrLines(text: string): readonly Line[] {
  const { data, size } = encode(text, { border: BORDER });
  const isDark = (row: number, at: number): boolean => data[row]?.[at] ?? false;
  const lines: Line[] = [];
  for (let row = 0; row < size; row += 2) {
    let cells = "";
    for (let at = 0; at < size; at++) {
      const upper = isDark(row, at);
      const lower = row + 1 < size ? isDark(row + 1, at) : false;
      cells += upper ? lower ? " " : "▄" : lower ? "▀" : "█";
    }
    lines.push([span(cells, "qr")]);
  }
  return lines;
}

function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]" ||
    hostname.startsWith("127.");
}
