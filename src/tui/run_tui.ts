/**
 * Runs the terminal UI: takes the terminal, and gives it back whatever happens.
 *
 * @module
 */

import process from "node:process";
import { uuidv7 } from "uuidv7";
import { VERSION } from "../version.ts";
import { startBackground } from "./link/background.ts";
import type { LinkClient } from "./link/client.ts";
import { createEventChannel, runMainLoop } from "./main_loop.ts";
import { openTerminal } from "./screen/terminal.ts";
import { initialState } from "./state/initial.ts";
import { themeFor } from "./text/theme.ts";

/** How to run it. */
export interface TuiOptions {
  readonly client: LinkClient;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly alternateScreen: boolean;
  /** Monotonic, in ms. */
  readonly now: () => number;
  readonly openUrl: (url: string, onFailure: () => void) => void;
}

/** Signals that end it, and the exit code of each as shells count it. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs until the person leaves, or a signal comes; gives the exit code.
 *
 * @throws whatever went wrong inside, once the terminal is given back
 */
export async function runTui(options: TuiOptions): Promise<number> {
  const { client, env, alternateScreen, now, openUrl } = options;
  const channel = createEventChannel();
  let exitCode = 0;
  let failure: { readonly error: unknown } | null = null;
  const end = (code: number): void => {
    exitCode = code;
    channel.close();
  };
  const fail = (error: unknown): void => {
    failure ??= { error };
    end(1);
  };
  const listeners = listen(end, fail);
  const screen = openTerminal({ alternate: alternateScreen, put: channel.put });
  const background = startBackground({
    client,
    now,
    put: channel.put,
    openUrl,
    quit: () => end(0),
  });
  try {
    await runMainLoop({
      state: initialState({
        now: now(),
        ...screen.size(),
        target: { label: client.label, remote: client.remote, url: client.url },
        clientVersion: VERSION,
      }),
      channel,
      screen,
      theme: themeFor(env),
      now,
      newKey: uuidv7,
      run: background.run,
    });
  } finally {
    background.close();
    screen.close();
    listeners.dispose();
  }
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
  return exitCode;
}

/** Signals, a terminal that went away, and what nobody caught. */
function listen(end: (code: number) => void, fail: (error: unknown) => void) {
  const handlers: readonly (readonly [string, (...args: unknown[]) => void])[] = [
    ...Object.entries(SIGNALS).map(([signal, code]) => [signal, () => end(code)] as const),
    ["uncaughtException", fail],
    ["unhandledRejection", fail],
  ];
  for (const [event, handler] of handlers) process.on(event, handler);
  const gone = () => end(SIGNALS.SIGHUP);
  process.stdin.on("end", gone);
  process.stdin.on("error", gone);
  process.stdout.on("error", gone);
  return {
    dispose() {
      for (const [event, handler] of handlers) process.off(event, handler);
      process.stdin.off("end", gone);
      process.stdin.off("error", gone);
      process.stdout.off("error", gone);
    },
  };
}
