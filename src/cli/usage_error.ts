/**
 * What is wrong with a command line, as a person reads it.
 *
 * @module
 */

import { formatMessage, type Message } from "@optique/core/message";
import type { CommandWords } from "./command_words.ts";
import { nearest } from "./nearest.ts";
import { printable } from "./output.ts";

/** Options that lead to a server elsewhere. */
const REMOTE = ["--connect", "--token-profile"];

/** One sentence, a guess at what was meant, and where to read on. */
export function usageError(
  args: readonly string[],
  error: Message,
  commands: readonly CommandWords[],
): string {
  const group = commands.filter(({ words }) => words[0] === args[0]);
  const exact = group.find(({ words }) => words.every((word, index) => args[index] === word));
  const name = exact?.words.join(" ") ?? (group.length > 0 ? args[0] : undefined);
  const sentence = inWords(formatMessage(error, { colors: false }), name, exact);
  const guess = sentence.includes("Did you mean") ? undefined : guessFor(args, group, exact);
  return `holon: ${printable(sentence)}${
    guess === undefined ? "" : `. Did you mean \`${guess}\`?`
  }\n` +
    `  Run \`holon ${name === undefined ? "" : `${name} `}--help\` to see what it takes.\n`;
}

// --- internal ---

/** The library's sentences where a person can do with better ones. */
function inWords(
  text: string,
  name: string | undefined,
  command: CommandWords | undefined,
): string {
  const sentence = text.replace(/\n\n/g, " ").replace(/\.$/, "");
  const missing = /^Expected an? (`[^`]+`), but too few arguments$/.exec(sentence)?.[1];
  if (missing !== undefined) return `${missing} is missing`;
  const [, word, guess = ""] =
    /^Unexpected option or subcommand: `([^`]*)`(\. Did you mean [^]*)?$/.exec(sentence) ?? [];
  if (word === undefined) return sentence;
  const [option = ""] = word.split("=");
  const program = name === undefined ? "holon" : `holon ${name}`;
  if (command !== undefined && REMOTE.includes(option)) {
    return `\`${program}\` works on this machine alone, and takes no ${option}`;
  }
  if (option.startsWith("-")) return `\`${program}\` has no option \`${option}\`${guess}`;
  return command === undefined
    ? `there is no command \`${program} ${word}\`${guess}`
    : `\`${word}\` is one too many${guess}`;
}

/** The nearest thing that there is to a mistyped option or second word. */
function guessFor(
  args: readonly string[],
  group: readonly CommandWords[],
  exact: CommandWords | undefined,
): string | undefined {
  const options = (exact === undefined ? group : [exact]).flatMap((command) => command.options);
  const known = [...new Set([...options, "--help"])].filter((option) => option.startsWith("--"));
  const wrong = args.filter((arg) => arg.startsWith("--")).map((arg) => arg.split("=")[0]!)
    .find((option) => option !== "--" && !known.includes(option));
  if (wrong !== undefined) return nearest(wrong, known);
  const [, second] = args;
  if (exact !== undefined || second === undefined) return undefined;
  return nearest(second, group.flatMap(({ words }) => words[1] ?? []));
}
