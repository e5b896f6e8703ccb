/**
 * The shells that are completed for, without options where none was begun.
 *
 * @module
 */

import { bash, fish, nu, pwsh, type ShellCompletion, zsh } from "@optique/core/completion";

/**
 * The shells by name. Options are offered after a `-` only: beside names they are in the way, and
 * where nothing else is offered a shell would type the `-` that they share.
 *
 * @param args of the program, the word to be completed last
 */
export function completionShells(args: readonly string[]): Record<string, ShellCompletion> {
  const isBegun = args.at(-1) !== "";
  return Object.fromEntries([bash, fish, nu, pwsh, zsh].map((shell) => [
    shell.name,
    isBegun ? shell : {
      ...shell,
      encodeSuggestions: (suggestions) =>
        shell.encodeSuggestions(
          suggestions.filter((suggestion) =>
            suggestion.kind !== "literal" || !suggestion.text.startsWith("-")
          ),
        ),
    },
  ]));
}
