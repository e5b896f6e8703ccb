/**
 * Hints for what is being entered behind a slash, and what Tab makes of it.
 *
 * @module
 */

import { type ArgumentKind, COMMANDS } from "./catalog.ts";

/** One way to go on. */
export interface Hint {
  /** The whole line that it would make. */
  readonly line: string;
  readonly summary: string;
}

/** The names that arguments can be. */
export type Names = Readonly<Record<"agent" | "app" | "message", readonly string[]>>;

const MAX_HINTS = 50;

/** The ways to go on; none where the text is no command. */
export function hintsFor(text: string, names: Names): readonly Hint[] {
  if (!text.startsWith("/") || text.startsWith("//") || text.includes("\n")) return [];
  const commands = COMMANDS.filter((it) => it.name.startsWith(text)).map((it) => ({
    line: it.argument === "none" ? it.name : `${it.name} `,
    summary: it.summary,
  }));
  if (commands.length > 0) return commands;
  const command = COMMANDS.findLast((it) => text.startsWith(`${it.name} `));
  if (command === undefined) return [];
  const typed = text.slice(command.name.length + 1).trimStart();
  return candidates(command.argument, names)
    .filter((name) => name.startsWith(typed))
    .slice(0, MAX_HINTS)
    .map((name) => ({ line: `${command.name} ${name}`, summary: "" }));
}

/** The text after Tab: as far as all hints agree, else the first of them. */
export function complete(text: string, names: Names): string {
  const hints = hintsFor(text, names);
  const [first] = hints;
  if (first === undefined) return text;
  const agreed = hints.reduce((all, { line }) => commonStart(all, line), first.line);
  return agreed.length > text.length ? agreed : first.line;
}

function candidates(kind: ArgumentKind, names: Names): readonly string[] {
  return kind === "agent" || kind === "app" || kind === "message" ? names[kind] : [];
}

function commonStart(left: string, right: string): string {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return left.slice(0, length);
}
