/**
 * How to start this very program once more, whatever runs it: a runtime with a script, or a binary
 * that was compiled of both.
 *
 * @module
 */

import { readFileSync, realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import process from "node:process";
import { mayRead } from "./deno_permissions.ts";

/** A command line, and where it has to be started. */
export interface SelfCommand {
  readonly command: readonly [string, ...string[]];
  /** `null` where any folder will do; else flags of the runtime name files relative to it. */
  readonly cwd: string | null;
}

/** What is known of how this program was started. */
export interface StartedBy {
  readonly runtime: "binary" | "bun" | "deno" | "node";
  readonly execPath: string;
  /** The script's absolute path; of no meaning to a binary. */
  readonly script: string;
  /** Flags of the runtime, without the program and the script. */
  readonly flags: readonly string[];
  readonly cwd: string;
}

/** The command that starts this program with other arguments and the same permissions. */
export function selfCommand(args: readonly string[]): SelfCommand {
  return commandFor(startedBy(), args);
}

/** As {@linkcode selfCommand}, for a start that is given. */
export function commandFor(started: StartedBy, args: readonly string[]): SelfCommand {
  const { runtime, execPath, script, cwd } = started;
  if (runtime === "binary") return { command: [execPath, ...args], cwd: null };
  if (runtime === "deno") {
    const flags = denoFlags(started.flags);
    return {
      command: [execPath, ...flags, script, ...args],
      cwd: flags.some(namesRelativeFile) ? cwd : null,
    };
  }
  const flags = started.flags.filter((flag) => KEPT_FLAGS.test(flag));
  return { command: [execPath, ...flags, script, ...args], cwd: null };
}

// --- internal ---

/**
 * What shapes a server on Node and Bun. Preloaded modules, inspectors, watchers and test runners
 * belong to the one command that they were given to.
 */
const KEPT_FLAGS = /^--(?:max-|stack-|use-|no-warnings|smol|disable-|enable-source-maps|v8-)/;

/** Deno runs only what it was allowed to, so that its flags are part of the program. */
function denoFlags(flags: readonly string[]): readonly string[] {
  const kept = flags.filter((flag) => !/^--(?:inspect|watch|reload)/.test(flag));
  return kept[0] === "run" ? kept : ["run", ...(kept.length === 0 ? ["-A"] : kept)];
}

function namesRelativeFile(flag: string): boolean {
  const [name = "", value] = flag.split(/=(.*)/s);
  if (
    !/^--(?:allow-(?:read|write|ffi)|deny-|config|import-map|lock|cert|env-file|preload)/.test(name)
  ) {
    return false;
  }
  return value !== undefined && value.split(",").some((path) => !isAbsolute(path));
}

interface Globals {
  readonly Bun?: { readonly main: string };
  readonly Deno?: { readonly build: { readonly standalone?: boolean } };
}

function startedBy(): StartedBy {
  const { Bun, Deno } = globalThis as Globals;
  const shared = { execPath: process.execPath, script: scriptPath(), cwd: process.cwd() };
  if (Deno !== undefined) {
    const runtime = Deno.build.standalone === true ? "binary" : "deno";
    return { ...shared, runtime, flags: runtime === "deno" ? flagsOfCommandLine() : [] };
  }
  if (Bun !== undefined) {
    const runtime = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN)/i.test(Bun.main) ? "binary" : "bun";
    return { ...shared, runtime, flags: process.execArgv };
  }
  return { ...shared, runtime: "node", flags: process.execArgv };
}

/** By its own name: npx calls it by a link in a cache, which may go while a server runs. */
function scriptPath(): string {
  const [, script = ""] = process.argv;
  try {
    return mayRead(script) ? realpathSync(script) : script;
  } catch {
    return script;
  }
}

/** Deno tells a program nothing of its flags, but Linux does. */
function flagsOfCommandLine(): readonly string[] {
  const path = "/proc/self/cmdline";
  if (!mayRead(path)) return [];
  try {
    const words = readFileSync(path, "utf8").replace(/\0$/, "").split("\0");
    // Behind the flags come the script and the arguments of the program.
    return words.slice(1, words.length - (process.argv.length - 2) - 1);
  } catch {
    return [];
  }
}
