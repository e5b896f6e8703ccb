/**
 * What a command may touch: its output, its environment, its terminal and the host. Tests give
 * their own.
 *
 * @module
 */

import process from "node:process";
import { type SelfCommand, selfCommand } from "../host/self_command.ts";
import type { Host } from "../host/types.ts";

/** The outside world of one command. */
export interface CliIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path that relative ones are resolved against. */
  readonly cwd: string;
  readonly host: Host;
  /** Writes to stdout, as is. */
  out(text: string): void;
  /** Writes to stderr, as is. */
  err(text: string): void;
  /** Writes to stderr without holding anything up; see `Host.writeStderr()`. */
  writeLog(bytes: Uint8Array): Promise<void>;
  /** Which of the three streams are terminals. */
  readonly terminal: {
    readonly stdin: boolean;
    readonly stdout: boolean;
    readonly stderr: boolean;
  };
  /** Columns of the terminal; `undefined` when there is none. */
  readonly columns: number | undefined;
  /** How to start this program once more, with other arguments. */
  self(args: readonly string[]): SelfCommand;
  /** Ends `serve` when it aborts; `null` where only signals do. */
  readonly stop: AbortSignal | null;
}

/** The world of the real process. */
export function processIo(host: Host): CliIo {
  const out = writer(process.stdout);
  return {
    env: process.env,
    cwd: process.cwd(),
    host,
    out,
    err: writer(process.stderr),
    writeLog: host.writeStderr,
    terminal: {
      stdin: process.stdin.isTTY === true,
      stdout: process.stdout.isTTY === true,
      stderr: process.stderr.isTTY === true,
    },
    columns: process.stdout.columns,
    self: selfCommand,
    stop: null,
  };
}

/** Resolves once what was written to stdout and stderr has been handed to the system. */
export async function flushOutput(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map((stream) =>
      new Promise<void>((resolve) => {
        if (stream.destroyed || !stream.writable) resolve();
        else stream.write("", () => resolve());
      })
    ),
  );
}

function writer(stream: NodeJS.WriteStream): (text: string) => void {
  // A reader that has gone (`holon apps list | head -1`) is no failure of ours.
  stream.on("error", () => {});
  return (text) => void stream.write(text);
}
