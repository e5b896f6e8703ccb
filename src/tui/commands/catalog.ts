/**
 * The slash commands.
 *
 * @module
 */

/** What a command takes behind its name. */
export type ArgumentKind = "agent" | "app" | "message" | "text" | "none";

/** A slash command. */
export interface CommandEntry {
  /** With the slash, and with its second word where it has one. */
  readonly name: string;
  readonly argument: ArgumentKind;
  /** Whether the argument may be left out. */
  readonly optional: boolean;
  readonly summary: string;
}

const entry = (
  name: string,
  summary: string,
  argument: ArgumentKind = "none",
  optional = true,
): CommandEntry => ({ name, argument, optional, summary });

/** All commands, in the order that help shows. */
export const COMMANDS: readonly CommandEntry[] = [
  entry("/agents", "list the agents; Enter switches"),
  entry("/agent switch", "switch to an agent", "agent", false),
  entry("/agent create", "make an agent", "text", false),
  entry("/apps", "list the agent's apps; Enter opens"),
  entry("/open", "open an app in the browser", "app"),
  entry("/qr", "show an app's address as a QR code", "app"),
  entry("/messages", "list the messages; Enter shows one"),
  entry("/show", "show a message and what came of it", "message"),
  entry("/cancel", "cancel a message that waits or is worked on", "message"),
  entry("/events", "list what happened"),
  entry("/state", "show server, connection and queue"),
  entry("/search", "filter the list; without words, show all", "text"),
  entry("/refresh", "load everything anew, connect now"),
  entry("/clear-status", "take the notice away"),
  entry("/help", "keys and commands"),
  entry("/quit", "leave"),
];

/** Other names that people try. */
const ALIASES: Readonly<Record<string, string>> = {
  "/?": "/help",
  "/abort": "/cancel",
  "/exit": "/quit",
  "/find": "/search",
  "/q": "/quit",
  "/message": "/show",
  "/switch": "/agent switch",
};

/** A line as a command: known, or what is wrong with it as a sentence. */
export type ParsedLine =
  | { readonly kind: "command"; readonly name: string; readonly argument: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "wrong"; readonly sentence: string };

/** Reads what was entered. Two slashes begin a text that begins with one. */
export function parseLine(entered: string): ParsedLine {
  if (entered.startsWith("//")) return { kind: "text", text: entered.slice(1) };
  if (!entered.startsWith("/")) return { kind: "text", text: entered };
  const words = entered.trim().split(/\s+/);
  const [first = ""] = words;
  const name = ALIASES[first] ?? first;
  const found = COMMANDS.find((it) => it.name === `${name} ${words[1] ?? ""}`) ??
    COMMANDS.find((it) => it.name === name);
  if (found === undefined) return { kind: "wrong", sentence: unknown(first, words[1]) };
  const used = found.name === name && !first.includes(" ") ? 1 : 2;
  const argument = words.slice(used).join(" ");
  if (argument === "" && !found.optional) {
    return { kind: "wrong", sentence: `${found.name} needs a name behind it.` };
  }
  if (argument !== "" && found.argument === "none") {
    return { kind: "wrong", sentence: `${found.name} takes nothing behind it.` };
  }
  return { kind: "command", name: found.name, argument };
}

function unknown(first: string, second: string | undefined): string {
  const group = COMMANDS.filter((it) => it.name.startsWith(`${first} `));
  if (group.length > 0) {
    const words = group.map((it) => it.name.slice(first.length + 1)).join(" or ");
    return second === undefined
      ? `${first} needs ${words} behind it.`
      : `${first} knows ${words}, not "${second.slice(0, 40)}".`;
  }
  const near = COMMANDS.find((it) => distance(it.name.split(" ")[0] ?? "", first) <= 2);
  const guess = near === undefined ? "" : ` Did you mean ${near.name}?`;
  return `There is no command ${
    first.slice(0, 40)
  }.${guess} /help lists them; // sends a text that begins with a slash.`;
}

/** Levenshtein's distance, of short words. */
function distance(left: string, right: string): number {
  const other = right.slice(0, 40);
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= left.length; at++) {
    const next = [at];
    for (let column = 1; column <= other.length; column++) {
      const change = (row[column - 1] ?? 0) + (left[at - 1] === other[column - 1] ? 0 : 1);
      next.push(Math.min(change, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
