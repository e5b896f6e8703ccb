/**
 * Starts a whole Holon, in each of the ways that a person may start it.
 *
 * @module
 */

import { toolPath } from "../../scripts/gate/tools.ts";
import { type RunningScript, startScript } from "./runtime.ts";

/** The command lines that start a server, without `serve` and its options. */
export const PROGRAMS: Readonly<Record<"bun" | "deno" | "node", readonly string[]>> = {
  node: [toolPath("node"), "mod.ts"],
  bun: [toolPath("bun"), "mod.ts"],
  deno: [toolPath("deno"), "run", "-A", "--no-lock", "--node-modules-dir=manual", "mod.ts"],
};

/** How to start it. */
export interface ServeOptions {
  readonly home: string;
  /** One of {@linkcode PROGRAMS}, or a command line of the test's own. */
  readonly program: readonly string[];
  /** Options behind `serve`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** How long it may take until it listens, in ms. */
  readonly timeout?: number;
}

/** A server under way. */
export interface ServedHolon {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly home: string;
  readonly script: RunningScript;
  /** Ends it as a service manager does, and gives its exit code. */
  stop(): Promise<number | string>;
}

/** Starts a server on a free port and waits until it accepts connections. */
export async function startHolon(options: ServeOptions): Promise<ServedHolon> {
  const { home, program, args = [], env, cwd, timeout } = options;
  const script = startScript("mod.ts", {
    command: [...program, "serve", ...args],
    env: {
      HOLON_HOME: home,
      HOLON_HTTP_ADDR: "127.0.0.1:0",
      HOLON_CONTROL_TOKEN: undefined,
      ...env,
    },
    ...(cwd === undefined ? {} : { cwd }),
  });
  try {
    const [, url = ""] = await script.line(/^holon listening on (http:\/\/[^\s/]+)/, timeout);
    return { url, home, script, stop: () => script.stop("SIGTERM") };
  } catch (error) {
    await script.stop();
    throw error;
  }
}
