/**
 * How styles look: in colour, with bold and reverse alone, or as plain text.
 *
 * @module
 */

import type { Line, Style } from "./line.ts";

/** What the terminal can show. */
export type Theme = "attributes" | "colour" | "plain";

/** What decides on the theme. */
export interface ThemeEnvironment {
  readonly NO_COLOR?: string | undefined;
  readonly TERM?: string | undefined;
}

/** Select Graphic Rendition parameters (ECMA-48 §8.3.117). */
const COLOUR: Readonly<Record<Style, string>> = {
  accent: "36",
  bad: "31",
  bar: "7",
  bold: "1",
  dim: "2",
  good: "32",
  // Light modules are what is drawn: white on black, whatever the terminal's own colours.
  qr: "97;40",
  selected: "1;36",
  warn: "33",
};

const ATTRIBUTES: Readonly<Record<Style, string>> = {
  accent: "1",
  bad: "1",
  bar: "7",
  bold: "1",
  dim: "2",
  good: "",
  qr: "",
  selected: "1",
  warn: "1",
};

/** No colour where `NO_COLOR` is set (no-color.org), nothing but text on a dumb terminal. */
export function themeFor(env: ThemeEnvironment): Theme {
  if (env.TERM === "dumb" || (env.TERM ?? "") === "") return "plain";
  return (env.NO_COLOR ?? "") === "" ? "colour" : "attributes";
}

/** A row as text for the terminal. */
export function paint(row: Line, theme: Theme): string {
  if (theme === "plain") return row.map(({ text }) => text).join("");
  const codes = theme === "colour" ? COLOUR : ATTRIBUTES;
  return row.map(({ text, style }) => {
    const code = style === undefined ? "" : codes[style];
    return code === "" || text === "" ? text : `\u001b[${code}m${text}\u001b[0m`;
  }).join("");
}
