/**
 * The usage lines of a help text, broken between options and never within one.
 *
 * @module
 */

const LABEL = "Usage: ";
const INDENT = " ".repeat(LABEL.length);
// deno-lint-ignore no-control-regex
const COLOR = /\u001b\[[0-9;]*m/g;

/**
 * Puts the usage of a help text without a width into one that was made for a width, where the
 * library breaks lines within brackets. Trailing spaces go.
 *
 * @param text as the library wrapped it
 * @param wide the same, with each usage on one line
 */
export function withUsageLines(text: string, wide: string, width: number): string {
  const usage = usageOf(wide);
  const lines = text.split("\n").map((line) => line.trimEnd());
  const old = usageOf(text);
  if (usage === null || old === null) return lines.join("\n");
  // What goes on is told from the next command's usage by a deeper indent.
  const indent = usage.lines.length > 1 ? `${INDENT}  ` : INDENT;
  const filled = usage.lines.flatMap((line) => fill(line, width, indent));
  return lines.toSpliced(old.from, old.lines.length, ...filled).join("\n");
}

// --- internal ---

interface UsageLines {
  readonly from: number;
  readonly lines: readonly string[];
}

function usageOf(text: string): UsageLines | null {
  const lines = text.split("\n");
  const from = lines.findIndex((line) => plain(line).startsWith(LABEL));
  if (from < 0) return null;
  const end = lines.findIndex((line, index) => index > from && plain(line).trim() === "");
  return { from, lines: lines.slice(from, end < 0 ? undefined : end) };
}

function fill(line: string, width: number, indent: string): readonly string[] {
  const start = line.startsWith(INDENT) ? INDENT : "";
  const [first = "", ...rest] = piecesOf(line.slice(start.length));
  const lines = [start + first];
  for (const piece of rest) {
    const longer = `${lines.at(-1)} ${piece}`;
    if (plain(longer).length <= width) lines.splice(-1, 1, longer);
    else lines.push(indent + piece);
  }
  return lines;
}

/** What stands between the spaces that are in no brackets. */
function piecesOf(text: string): readonly string[] {
  const pieces = [""];
  let depth = 0;
  // deno-lint-ignore no-control-regex
  for (const [part] of text.matchAll(/\u001b\[[0-9;]*m|[^]/g)) {
    if (part === "[" || part === "(") depth++;
    else if (part === "]" || part === ")") depth--;
    if (part === " " && depth === 0) pieces.push("");
    else pieces.push(pieces.pop() + part);
  }
  return pieces;
}

function plain(text: string): string {
  return text.replace(COLOR, "");
}
