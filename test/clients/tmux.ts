/**
 * A terminal for whole programs: tmux, with a server of its own for each.
 *
 * @module
 */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { repositoryRoot } from "../support/runtime.ts";
import { findProgram } from "../support/tools.ts";
import { until } from "../support/until.ts";

const run = promisify(execFile);

/** What to start, and how large. */
export interface TmuxOptions {
  readonly command: readonly string[];
  readonly columns: number;
  readonly rows: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program in a terminal. */
export interface Tmux {
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names: `Enter`, `C-c`, `M-Enter`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Pastes as a terminal does, in brackets where the program asked for them. */
  paste(text: string): Promise<void>;
  /** What is on the screen, without blanks at the ends. */
  screen(): Promise<string>;
  /** The same with its colours and attributes. */
  paintedScreen(): Promise<string>;
  /** Waits until the screen matches; fails with the last screen. */
  see(pattern: RegExp, timeoutMs?: number): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** A format of tmux, such as `#{pane_title}`. */
  ask(format: string): Promise<string>;
  /** The program's process id. */
  pid(): Promise<number>;
  end(): Promise<void>;
}

let count = 0;

/** Starts a program; once it ends, `EXIT <code>` is on the screen. */
export async function startTmux({ command, columns, rows, env = {} }: TmuxOptions): Promise<Tmux> {
  const socket = `holon-${process.pid}-${++count}`;
  const program = findProgram("tmux") ?? "tmux";
  const tmux = async (...args: readonly string[]): Promise<string> => {
    const { stdout } = await run(program, ["-L", socket, "-f", "/dev/null", ...args], {
      env: { PATH: process.env["PATH"], LANG: "C.UTF-8", TERM: "xterm-256color" },
      maxBuffer: 8 * 1024 * 1024,
    });
    return stdout;
  };
  const words = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const settings = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  await tmux(
    ...["new-session", "-d", "-s", "t", "-x", String(columns), "-y", String(rows)],
    ...["-c", repositoryRoot, ...settings],
    `echo BEFORE; ${words}; echo "EXIT $?"; exec sleep 600`,
  );
  const screen = () => tmux("capture-pane", "-p", "-t", "t").then((text) => text.trimEnd());
  return {
    type: async (text) => void await tmux("send-keys", "-t", "t", "-l", text),
    press: async (...keys) => void await tmux("send-keys", "-t", "t", ...keys),
    async paste(text) {
      await tmux("set-buffer", "-b", "pasted", text);
      await tmux("paste-buffer", "-p", "-r", "-b", "pasted", "-t", "t");
    },
    screen,
    paintedScreen: () => tmux("capture-pane", "-p", "-e", "-t", "t"),
    async see(pattern, timeoutMs) {
      let last = "";
      try {
        await until(async () => pattern.test(last = await screen()), timeoutMs);
      } catch {
        throw new Error(`${pattern} is not on the screen:\n${last}`);
      }
      return last;
    },
    resize: async (width, height) =>
      void await tmux("resize-window", "-t", "t", "-x", String(width), "-y", String(height)),
    ask: async (format) => (await tmux("display-message", "-p", "-t", "t", format)).trim(),
    async pid() {
      const shell = (await tmux("display-message", "-p", "-t", "t", "#{pane_pid}")).trim();
      const { stdout } = await run("ps", ["-o", "pid=", "--ppid", shell]);
      return Number(stdout.trim().split(/\s+/)[0]);
    },
    end: async () => void await tmux("kill-server").catch(() => {}),
  };
}
