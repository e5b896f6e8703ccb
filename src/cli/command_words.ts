/**
 * The commands and options that a grammar has, read off its usage.
 *
 * @module
 */

import type { Usage, UsageTerm } from "@optique/core/usage";

/** One command of the grammar. */
export interface CommandWords {
  /** E.g. `["apps", "list"]`. */
  readonly words: readonly string[];
  /** Long and short names, e.g. `--quiet` and `-q`. */
  readonly options: readonly string[];
}

/** Every command that a usage has, in order. */
export function commandsOf(usage: Usage): readonly CommandWords[] {
  const [first, ...rest] = usage;
  if (first === undefined) return [];
  if (first.type === "exclusive") return first.terms.flatMap(commandsOf);
  if (first.type === "sequence") return commandsOf([...first.terms, ...rest]);
  if (first.type !== "command") return [];
  const below = commandsOf(rest);
  return below.length === 0
    ? [{ words: [first.name], options: optionsOf(rest) }]
    : below.map(({ words, options }) => ({ words: [first.name, ...words], options }));
}

// --- internal ---

function optionsOf(usage: Usage): readonly string[] {
  return usage.flatMap((term: UsageTerm): readonly string[] => {
    switch (term.type) {
      case "option":
        return term.names;
      case "optional":
      case "multiple":
      case "sequence":
        return optionsOf(term.terms);
      case "exclusive":
        return term.terms.flatMap(optionsOf);
      default:
        return [];
    }
  });
}
