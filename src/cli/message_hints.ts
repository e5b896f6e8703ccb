/**
 * What can be done next with a message, for people.
 *
 * @module
 */

import { textOf } from "./client/fields.ts";
import type { MessagesShowCommand } from "./command.ts";
import { printable } from "./output.ts";
import { shellQuote } from "./shell_quote.ts";

/**
 * A sentence with the command to give; `null` where nothing is left to do.
 *
 * @param command the options by which the message was found lead to it again
 */
export function messageHint(
  command: MessagesShowCommand,
  message: Readonly<Record<string, unknown>>,
): string | null {
  const next = (what: string) => {
    const words = ["holon", "messages", what, shellQuote(command.id), ...optionsOf(command)];
    return `\`${printable(words.join(" "))}\``;
  };
  switch (textOf(message.status)) {
    case "queued":
      return `it waits to be worked on; ${next("cancel")} takes it back`;
    case "processing":
      return `it is being worked on; ${next("cancel")} stops that`;
    case "cancelled":
    case "failed":
      return `${next("retry")} sends it once more, as a new message`;
    default:
      return null;
  }
}

// --- internal ---

/** As they were given, without a token itself. */
function optionsOf(command: MessagesShowCommand): readonly string[] {
  const { agent, home, connect, tokenFile, tokenProfile } = command;
  const given = {
    "--agent": agent,
    "--home": home,
    "--connect": connect,
    "--token-file": tokenFile,
    "--token-profile": tokenProfile,
  };
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [name, shellQuote(value)]
  );
}
