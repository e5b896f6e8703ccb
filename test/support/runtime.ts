/**
 * Starts scripts with the runtime that runs the test, so that the suite on each runtime proves
 * that runtime.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The runtime that runs this test. */
export const runtimeName: "bun" | "deno" | "node" = "Deno" in globalThis
  ? "deno"
  : "Bun" in globalThis
  ? "bun"
  : "node";

/** The repository's folder, without a slash at the end. */
export const repositoryRoot: string = fileURLToPath(new URL("../..", import.meta.url))
  .replace(/\/$/, "");

/** The command line that runs a `.ts` file with this runtime and all permissions. */
export function scriptCommand(file: string, args: readonly string[] = []): [string, ...string[]] {
  if (runtimeName !== "deno") return [process.execPath, file, ...args];
  const flags = ["run", "-A", "--quiet", "--no-prompt", "--no-check", "--node-modules-dir=manual"];
  return [process.execPath, ...flags, file, ...args];
}

/** What a script may be started with. */
export interface ScriptOptions {
  readonly args?: readonly string[];
  /** Added to the test's own environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Replaces {@linkcode scriptCommand}, e.g. to run under another user. */
  readonly command?: readonly string[];
}

/** A script under way. */
export interface RunningScript {
  readonly child: ChildProcess;
  readonly pid: number;
  /** All output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves to the first line of stdout that matches; rejects when the script ends before. */
  line(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  /** Resolves when it has ended, to its exit code or the signal's name. */
  readonly exited: Promise<number | string>;
  /** Sends it a signal. */
  signal(signal: NodeJS.Signals): void;
  /** Signals it, SIGKILL unless told otherwise, and waits for its end. */
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

/** Starts a `.ts` file with the runtime that runs the test. */
export function startScript(file: string, options: ScriptOptions = {}): RunningScript {
  const [program, ...rest] = options.command ?? scriptCommand(file, options.args);
  const env: Record<string, string | undefined> = { ...process.env, ...options.env };
  for (const name of Object.keys(env)) if (env[name] === undefined) delete env[name];
  const child = spawn(program!, rest, {
    cwd: options.cwd ?? repositoryRoot,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  let ended = false;
  const watchers = new Set<() => void>();
  const wake = () => watchers.forEach((watcher) => watcher());
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    wake();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    wake();
  });
  const exited = new Promise<number | string>((resolve) => {
    const settle = (outcome: number | string) => {
      ended = true;
      resolve(outcome);
      wake();
    };
    child.on("error", (error) => settle(error.message));
    child.on("exit", (code, signal) => settle(code ?? signal ?? "unknown"));
  });
  const line = (pattern: RegExp, timeoutMs = 20_000) =>
    new Promise<RegExpExecArray>((resolve, reject) => {
      const finish = (act: () => void) => {
        clearTimeout(timer);
        watchers.delete(look);
        act();
      };
      const fail = (why: string) =>
        finish(() => reject(new Error(`${why} before ${pattern}\n${stdout}\n${stderr}`)));
      const timer = setTimeout(() => fail("Time ran out"), timeoutMs);
      const look = () => {
        const complete = ended ? stdout : stdout.slice(0, stdout.lastIndexOf("\n") + 1);
        for (const text of complete.split("\n")) {
          const match = pattern.exec(text);
          if (match !== null) return finish(() => resolve(match));
        }
        if (ended) fail("The script ended");
      };
      watchers.add(look);
      look();
    });
  const signalTo = (signal: NodeJS.Signals) => {
    // Not by child.kill(): Deno would then call the signal the end's cause, whatever it was.
    if (child.pid !== undefined) process.kill(child.pid, signal);
  };
  const stop = (signal: NodeJS.Signals = "SIGKILL") => {
    if (!ended) signalTo(signal);
    return exited;
  };
  return {
    child,
    pid: child.pid ?? -1,
    stdout: () => stdout,
    stderr: () => stderr,
    line,
    exited,
    signal: signalTo,
    stop,
  };
}
