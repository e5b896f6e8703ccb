/**
 * `holon tui`.
 *
 * @module
 */

import { asFailure, type LinkFailure } from "../tui/link/failure.ts";
import {
  LOCAL_TIMEOUTS,
  localConnection,
  REMOTE_TIMEOUTS,
  remoteConnection,
} from "./client/connection.ts";
import { remoteTarget } from "./client/remote_options.ts";
import type { ClientTimeouts, Connection } from "./client/types.ts";
import type { TuiCommand } from "./command.ts";
import { CliFailure, EXIT } from "./failure.ts";
import { homePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { openBrowser } from "./open_browser.ts";
import { linkTo } from "./tui_link.ts";

/** How long the screen waits for a first answer that may say no, in ms. */
const GRACE_MS = 500;
/** For an answer to come whole, in ms: what is asked for is small. */
const TOTAL_MS = 15_000;

/** Runs the terminal UI until the person leaves. */
export async function tui(command: TuiCommand, io: CliIo): Promise<number> {
  if (!io.terminal.stdin || !io.terminal.stdout) {
    throw new CliFailure("holon tui needs a terminal for its input and its output", {
      hint: "In scripts, use `holon messages` and `holon agents`; they have --json.",
      exitCode: EXIT.usage,
    });
  }
  if (io.env["TERM"] === "dumb") {
    throw new CliFailure("holon tui can't draw on this terminal (TERM=dumb)", {
      hint: "Open it in another one, or use `holon messages` and `holon agents`.",
      exitCode: EXIT.usage,
    });
  }
  const client = linkTo(await connectionFor(command, io));
  const refusal = await earlyRefusal(client.handshake);
  if (refusal !== null) throw refusal;
  // Loaded only here: no other command needs it.
  const { runTui } = await import("../tui/run_tui.ts");
  return await runTui({
    client,
    env: io.env,
    alternateScreen: !command.noAltScreen,
    now: () => io.host.clock.monotonic(),
    openUrl: (url, onFailure) => openBrowser(io, url, onFailure),
  });
}

/** The server that the options mean: the one at the URL, or that of the home; never another. */
async function connectionFor(command: TuiCommand, io: CliIo): Promise<Connection> {
  const target = await remoteTarget(command, io);
  if (target === null) {
    const paths = await homePaths(io, command.home);
    return localConnection(paths, timeouts(command, io, LOCAL_TIMEOUTS));
  }
  if (command.home !== undefined) {
    throw new CliFailure("--home is for this machine, and --connect leads elsewhere", {
      hint: "Give one of them.",
      exitCode: EXIT.usage,
    });
  }
  return remoteConnection(target.url, target.token, timeouts(command, io, REMOTE_TIMEOUTS));
}

function timeouts(command: TuiCommand, io: CliIo, base: ClientTimeouts): ClientTimeouts {
  const connect = command.connectTimeout ?? seconds(io, "HOLON_TUI_CONNECT_TIMEOUT");
  const open = command.timeout ?? seconds(io, "HOLON_TUI_TIMEOUT");
  const openMs = open === undefined ? base.openMs : open * 1000;
  return {
    ...base,
    connectMs: connect === undefined ? Math.min(base.connectMs, openMs) : connect * 1000,
    openMs,
    totalMs: Math.max(TOTAL_MS, openMs),
  };
}

function seconds(io: CliIo, variable: string): number | undefined {
  const value = io.env[variable];
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  if (Number.isFinite(number) && number > 0 && number <= 600) return number;
  throw new CliFailure(`${variable} is no number of seconds between 0 and 600`, {
    exitCode: EXIT.usage,
  });
}

/**
 * What a server says at once that will not change by itself: told as a sentence, without taking the
 * terminal. A server that is slow or away is waited for on the screen.
 */
async function earlyRefusal(
  handshake: (signal: AbortSignal) => Promise<unknown>,
): Promise<CliFailure | null> {
  const grace = new AbortController();
  const timer = setTimeout(() => grace.abort(), GRACE_MS);
  try {
    await handshake(grace.signal);
    return null;
  } catch (error) {
    return grace.signal.aborted ? null : refusalOf(asFailure(error));
  } finally {
    clearTimeout(timer);
  }
}

function refusalOf({ kind, message }: LinkFailure): CliFailure | null {
  switch (kind) {
    case "absent":
      return new CliFailure(message, {
        hint: "Start it with `holon serve` or `holon daemon start`, then run this again.",
      });
    case "foreign":
      return new CliFailure(message, {
        hint: "Is that the address of a Holon server, and of the same version as this program?",
      });
    case "refused":
      return new CliFailure(message, {
        hint: "Is it the token of that server, and has it not expired or been revoked?",
      });
    default:
      return null;
  }
}
