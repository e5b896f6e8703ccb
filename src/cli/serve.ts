/**
 * `holon serve`.
 *
 * @module
 */

import type { RuntimeStatus } from "../config/routes.ts";
import { createHolon, type Holon } from "../holon.ts";
import { acquireHomeLock } from "../store/home_lock.ts";
import { VERSION } from "../version.ts";
import type { ServeCommand } from "./command.ts";
import { CliFailure, EXIT, reportFailure } from "./failure.ts";
import { FIRST_AGENT, FIRST_APP, prepareHome } from "./first_run.ts";
import type { HomePaths } from "./home.ts";
import { listenToKeys } from "./hotkeys.ts";
import type { CliIo } from "./io.ts";
import {
  addressText,
  isLoopback,
  listenAddress,
  originOf,
  type TcpAddress,
} from "./listen_address.ts";
import { isInteractive, openBrowser } from "./open_browser.ts";
import { openListeners, type ServeListeners } from "./serve_listeners.ts";
import { shellQuote } from "./shell_quote.ts";
import { listenToStop } from "./stop_request.ts";
import { readToken } from "./token.ts";

/** How long responses under way may take once it is asked to stop, in ms. */
const GRACE_MS = 3_000;
/** When it exits at the latest; a supervisor's patience is 5 s. */
const DEADLINE_MS = 4_500;

/**
 * Serves a home until it is told to stop; prints one line on stdout once it accepts connections.
 *
 * @throws {CliFailure} when it can't
 */
export async function serve(command: ServeCommand, io: CliIo): Promise<number> {
  const address = listenAddress(command, io.env);
  const token = await readToken(io, command.tokenFile);
  if (token === null && !isLoopback(address)) {
    throw new CliFailure(`listening on ${addressText(address)} needs a token`, {
      hint: "Others reach that address: give --token-file FILE, or set HOLON_CONTROL_TOKEN.",
    });
  }
  const { paths, isNew } = await prepareHome(io, command.home);
  await noteOpenHome(io, paths.home);
  const lock = await acquireHomeLock(paths.home, io.host.files);
  const stopping = listenToStop(io);
  let running: Running | null = null;
  try {
    running = await start({ io, paths, address, token, stop: stopping.stop });
    const origin = originOf(running.listeners.address);
    const notice = await lock.announce({
      pid: io.host.processes.pid,
      address: origin,
      started_at: running.startedAt,
      version: VERSION,
    });
    if (notice !== null) io.err(`holon: ${notice}\n`);
    if (isNew) welcome(io, paths, origin);
    io.out(`holon listening on ${origin}\n`);
    if (command.open && isInteractive(io)) openBrowser(io, origin);
    const endKeys = listenToKeys(io, origin, stopping.stop);
    await stopping.requested;
    endKeys();
    io.err("holon: stopping\n");
    return EXIT.ok;
  } finally {
    if (running !== null) await atMost(DEADLINE_MS, end(running));
    await lock.release();
    stopping.dispose();
  }
}

interface Running {
  readonly holon: Holon;
  readonly listeners: ServeListeners;
  readonly startedAt: string;
}

interface StartOptions {
  readonly io: CliIo;
  readonly paths: HomePaths;
  readonly address: TcpAddress;
  readonly token: string | null;
  readonly stop: () => void;
}

async function start({ io, paths, address, token, stop }: StartOptions): Promise<Running> {
  const debug = (io.env.HOLON_DEBUG ?? "") !== "";
  const logError = (error: unknown): void => io.err(reportFailure(error, debug).text);
  const startedAt = new Date(io.host.clock.now()).toISOString();
  let bound = address;
  const status = (): RuntimeStatus => ({
    healthy: true,
    pid: io.host.processes.pid,
    home_dir: paths.home,
    socket_path: paths.socket,
    http_addr: addressText(bound),
    started_at: startedAt,
    version: VERSION,
    runtime: `${io.host.runtime} ${io.host.version}`,
    token_required: token !== null,
  });
  const holon = await createHolon({
    host: io.host,
    home: paths.home,
    token,
    environment: io.env,
    runtime: { status, requestShutdown: stop },
    onNotice: (sentence) => io.err(`holon: ${sentence}\n`),
    onError: (error) => io.err(`holon: ${error instanceof Error ? error.stack : String(error)}\n`),
  });
  try {
    const listeners = await openListeners(io, paths, address, {
      fetch: holon.fetch,
      onError: debug ? logError : () => {},
    });
    bound = listeners.address;
    return { holon, listeners, startedAt };
  } catch (error) {
    await holon.close();
    throw error;
  }
}

/** Ends streams, lets responses and writes finish, closes the database. */
async function end({ holon, listeners }: Running): Promise<void> {
  await Promise.all([listeners.close(GRACE_MS), holon.close()]);
}

async function noteOpenHome(io: CliIo, home: string): Promise<void> {
  const { mode } = await io.host.files.stat(home);
  if ((mode & 0o077) === 0) return;
  io.err(`holon: others can look into the home; run: chmod 700 ${shellQuote(home)}\n`);
}

function welcome(io: CliIo, paths: HomePaths, origin: string): void {
  io.err(`holon: made ${paths.home} with the agent ${FIRST_AGENT} and a first app:\n`);
  io.err(`  ${origin}/apps/${FIRST_AGENT}/${FIRST_APP}/\n`);
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
