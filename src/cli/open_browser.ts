/**
 * Opens a page in the person's browser.
 *
 * @module
 */

import { spawn } from "node:child_process";
import process from "node:process";
import type { CliIo } from "./io.ts";

/** Whether a person sits in front of this: a terminal, and no CI. */
export function isInteractive(io: CliIo): boolean {
  return io.terminal.stdin && io.terminal.stdout && (io.env.CI ?? "") === "";
}

/**
 * Opens a URL with the desktop's own program.
 *
 * @param onFailure is called where there is none; it says so on stderr by default
 */
export function openBrowser(
  io: CliIo,
  url: string,
  onFailure: () => void = () => {
    io.err(`holon: no browser could be started; open ${url} yourself\n`);
  },
): void {
  const [program, ...args] = command(url);
  const child = spawn(program, args, { detached: true, stdio: "ignore" });
  child.on("error", onFailure);
  child.unref();
}

function command(url: string): [string, ...string[]] {
  switch (process.platform) {
    case "darwin":
      return ["open", url];
    case "win32":
      return ["rundll32", "url.dll,FileProtocolHandler", url];
    default:
      return ["xdg-open", url];
  }
}
