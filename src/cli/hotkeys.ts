/**
 * Single keys on the terminal of `holon serve`: o opens the page, q quits, h helps.
 *
 * @module
 */

import process from "node:process";
import type { CliIo } from "./io.ts";
import { isInteractive, openBrowser } from "./open_browser.ts";

/** What a key does. */
export type KeyAction = "help" | "open" | "quit" | null;

const HELP = "holon: o opens the home page, q quits, h shows this\n";
const INTERRUPT = "\u0003";
const END_OF_INPUT = "\u0004";

/** The action of a key as the terminal sends it. */
export function keyAction(key: string): KeyAction {
  switch (key.toLowerCase()) {
    case "o":
      return "open";
    case "q":
    case INTERRUPT:
    case END_OF_INPUT:
      return "quit";
    case "h":
    case "?":
      return "help";
    default:
      return null;
  }
}

/** Listens to keys, where a person is at the terminal; the result stops that. */
export function listenToKeys(io: CliIo, url: string, quit: () => void): () => void {
  const { stdin } = process;
  if (!isInteractive(io) || typeof stdin.setRawMode !== "function") return () => {};
  const onData = (bytes: Uint8Array): void => {
    for (const key of new TextDecoder().decode(bytes)) {
      const action = keyAction(key);
      if (action === "help") io.err(HELP);
      else if (action === "open") openBrowser(io, url);
      else if (action === "quit") quit();
    }
  };
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.resume();
  io.err(HELP);
  return () => {
    stdin.off("data", onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
