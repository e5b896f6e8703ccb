/**
 * A server process under way: its memory and its processor time, as Linux tells them.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { createInterface } from "node:readline";
import { ROOT } from "../../scripts/gate/tools.ts";

/** A server that is measured. */
export interface BenchServer {
  /** Where the files are, with a slash at the end. */
  readonly base: URL;
  readonly pid: number;
  /** Sets the mark of the memory peak back. */
  resetPeak(): void;
  /** Peak of the resident memory since then, in MiB; `undefined` where it can't be read. */
  peak(): number | undefined;
  /** Processor time used so far, in seconds; `undefined` where it can't be read. */
  cpu(): number | undefined;
  stop(): Promise<void>;
}

/** Clock ticks per second in `/proc/<pid>/stat`: a constant of Linux on all that Holon runs on. */
const TICKS = 100;

/** Wraps a process that serves at an address. */
export function benchServer(child: ChildProcess, base: URL): BenchServer {
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const pids = () => family(child.pid ?? 0);
  return {
    base,
    pid: child.pid ?? 0,
    resetPeak: () =>
      pids().forEach((pid) => quietly(() => writeFileSync(file(pid, "clear_refs"), "5"))),
    peak: () =>
      sum(pids(), (pid) => Number(/^VmHWM:\s+(\d+)/m.exec(read(pid, "status"))?.[1]) / 1024),
    cpu: () =>
      sum(pids(), (pid) => {
        const [, fields = ""] = /\) (.*)/.exec(read(pid, "stat")) ?? [];
        const ticks = fields.split(" ").slice(11, 13).map(Number);
        return (ticks[0]! + ticks[1]!) / TICKS;
      }),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Starts a program that prints `… listening on <address>`; gives that address. */
export async function startListening(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
  const { HOLON_CONTROL_TOKEN: _, ...env } = process.env;
  const child = spawn(program, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...env, ...options.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const origin = /listening on (http:\/\/[^\s/]+)/.exec(line)?.[1];
    if (origin === undefined) continue;
    child.stdout!.resume();
    return { child, origin };
  }
  throw new Error(`${program} ended before it listened.`);
}

function sum(pids: readonly number[], figure: (pid: number) => number): number | undefined {
  try {
    return pids.reduce((total, pid) => total + figure(pid), 0);
  } catch {
    return undefined;
  }
}

function family(pid: number): readonly number[] {
  try {
    const children = read(pid, `task/${pid}/children`).trim().split(" ").filter((it) => it !== "");
    return [pid, ...children.flatMap((child) => family(Number(child)))];
  } catch {
    return [pid];
  }
}

const file = (pid: number, name: string) => `/proc/${pid}/${name}`;
const read = (pid: number, name: string) => readFileSync(file(pid, name), "utf8");

function quietly(act: () => void): void {
  try {
    act();
  } catch {
    // Not Linux, or not allowed: the peak since the start is reported.
  }
}
