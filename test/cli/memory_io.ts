/**
 * Runs commands in this process, with their output kept.
 *
 * @module
 */

import { main } from "../../src/cli/main.ts";
import type { CliIo } from "../../src/cli/io.ts";
import { repositoryRoot, scriptCommand } from "../support/runtime.ts";
import { createHost } from "../../src/host/current.ts";

/** What a command is run with. */
export interface RunOptions {
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Whether its output is one, or which of the three streams are. */
  readonly terminal?: boolean | CliIo["terminal"];
  /** Columns of the terminal. */
  readonly columns?: number;
  readonly stop?: AbortSignal;
  /** What starts Holon in the background; by default this runtime. */
  readonly program?: readonly string[];
  /** Told of each piece of stdout as it comes. */
  readonly onOut?: (text: string) => void;
}

/** What came of a command. */
export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs one command line. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<CommandRun> {
  let out = "";
  let err = "";
  const { terminal = false } = options;
  const io: CliIo = {
    env: { ...(options.home === undefined ? {} : { HOLON_HOME: options.home }), ...options.env },
    cwd: options.cwd ?? "/",
    host: createHost(),
    out: (text) => {
      out += text;
      options.onOut?.(text);
    },
    err: (text) => void (err += text),
    writeLog: (bytes) => {
      err += new TextDecoder().decode(bytes);
      return Promise.resolve();
    },
    terminal: typeof terminal === "boolean"
      ? { stdin: false, stdout: terminal, stderr: terminal }
      : terminal,
    columns: options.columns,
    self: (args) => {
      const own = scriptCommand(`${repositoryRoot}/mod.ts`);
      const [program = "", ...rest] = [...options.program ?? own, ...args];
      return { command: [program, ...rest], cwd: null };
    },
    stop: options.stop ?? null,
  };
  const code = await main(args, io);
  return { code, out, err };
}
