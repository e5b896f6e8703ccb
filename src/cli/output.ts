/**
 * How commands print: JSON for programs, aligned columns and a little colour for people.
 *
 * @module
 */

import type { CliIo } from "./io.ts";

/** Wraps text in a colour, or leaves it as it is. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  red(text: string): string;
  yellow(text: string): string;
}

/** Colour on a terminal only, and not where `NO_COLOR` is set (no-color.org) or `TERM` is dumb. */
export function usesColor(io: CliIo): boolean {
  return io.terminal.stdout && (io.env.NO_COLOR ?? "") === "" && io.env.TERM !== "dumb";
}

/** The colours for this output. */
export function paintFor(io: CliIo): Paint {
  const wrap = usesColor(io)
    ? (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`
    : () => (text: string) => text;
  return { bold: wrap(1), dim: wrap(2), green: wrap(32), red: wrap(31), yellow: wrap(33) };
}

/** Prints a value as indented JSON. */
export function printJson(io: CliIo, value: unknown): void {
  io.out(JSON.stringify(value, null, 2) + "\n");
}

/** Prints rows in columns; the first row is the heading. Cells are made safe for a terminal. */
export function printTable(io: CliIo, rows: readonly (readonly string[])[]): void {
  const safe = rows.map((row) => row.map(printable));
  const widths = (safe[0] ?? []).map((_, column) =>
    Math.max(...safe.map((row) => width(row[column] ?? "")))
  );
  const { bold } = paintFor(io);
  safe.forEach((row, index) => {
    const line = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell + " ".repeat((widths[column] ?? 0) - width(cell))
    ).join("  ").trimEnd();
    io.out((index === 0 ? bold(line) : line) + "\n");
  });
}

/**
 * Text from apps and messages without control characters, so that it can't steer the terminal that
 * it is printed on.
 */
export function printable(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** As {@linkcode printable}, but line ends and tabs stay. */
export function printableLines(text: string): string {
  return text.split(/(\r?\n|\t)/).map((part, index) => index % 2 === 1 ? part : printable(part))
    .join("");
}

function width(text: string): number {
  return [...text].length;
}
