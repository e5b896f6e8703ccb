/**
 * A home whose background server tests start and stop.
 *
 * @module
 */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type CommandRun, run, type RunOptions } from "../cli/memory_io.ts";
import { repositoryRoot } from "../support/runtime.ts";
import { PROGRAMS } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";

/** The command lines of {@linkcode PROGRAMS}, to be started in any folder. */
export const ABSOLUTE_PROGRAMS: typeof PROGRAMS = {
  node: absolute(PROGRAMS.node),
  bun: absolute(PROGRAMS.bun),
  deno: absolute(PROGRAMS.deno),
};

/** A home for one test. */
export interface DaemonHome {
  readonly directory: TempDirectory;
  readonly home: string;
  /** Path of a file below `run/`. */
  inRun(name: string): string;
  /** Runs `holon daemon …` in this process. */
  daemon(args: readonly string[], options?: RunOptions): Promise<CommandRun>;
  /** As {@linkcode daemon}, with `--json`, and gives what it printed. */
  // deno-lint-ignore no-explicit-any
  report(args: readonly string[], options?: RunOptions): Promise<any>;
  /** Ends whatever server is left, and removes all. */
  remove(): void;
}

/** Makes one; Bun starts fastest. */
export function daemonHome(program: readonly string[] = ABSOLUTE_PROGRAMS.bun): DaemonHome {
  const directory = tempDirectory();
  const home = join(directory.path, "home");
  const env = { PATH: process.env["PATH"], HOLON_HTTP_ADDR: "127.0.0.1:0" };
  const pids = new Set<number>();
  const daemon = async (args: readonly string[], options: RunOptions = {}) => {
    const result = await run(["daemon", ...args], {
      home,
      program,
      ...options,
      env: { ...env, ...options.env },
    });
    remember();
    return result;
  };
  const remember = () => {
    try {
      pids.add(Number(readFileSync(join(home, "run/holon.pid"), "utf8")));
    } catch {
      // None runs.
    }
  };
  return {
    directory,
    home,
    inRun: (name) => join(home, "run", name),
    daemon,
    async report(args, options) {
      const { out, err, code } = await daemon([...args, "--json"], options);
      if (out === "") throw new Error(`${args.join(" ")} ended with ${code}: ${err}`);
      return { ...JSON.parse(out), code };
    },
    remove() {
      remember();
      for (const pid of pids) {
        try {
          // Still a server on this home, and no other process that has the pid by now.
          const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
          if (command.includes(directory.path)) process.kill(pid, "SIGKILL");
        } catch {
          // It has ended.
        }
      }
      directory.remove();
    },
  };
}

function absolute(program: readonly string[]): readonly string[] {
  return program.map((word) => word === "mod.ts" ? join(repositoryRoot, "mod.ts") : word);
}
