/**
 * `holon serve`.
 *
 * @module
 */

import { hostname } from "node:os";
import type { RuntimeStatus, StartupSurface } from "../config/routes.ts";
import { createHolon, type Holon } from "../holon.ts";
import { thisProcess } from "../host/known_process.ts";
import type { Log } from "../observe/logger.ts";
import { acquireHomeLock } from "../store/home_lock.ts";
import { VERSION } from "../version.ts";
import type { AccessPlan } from "./access/access_plan.ts";
import { chooseAddresses } from "./access/named_addresses.ts";
import { reachOf } from "./access/reach.ts";
import { readyLines } from "./access/ready_lines.ts";
import { resolveAccess } from "./access/resolve_access.ts";
import type { ServeCommand } from "./command.ts";
import { type DaemonChild, daemonChild } from "./daemon/child.ts";
import { forgetFailures } from "./daemon/state_files.ts";
import { fingerprintOf, surfaceOf } from "./daemon/surface.ts";
import { defaultAgentNotice } from "./default_agent.ts";
import { EXIT } from "./failure.ts";
import { FIRST_AGENT, FIRST_APP, prepareHome } from "./first_run.ts";
import type { HomePaths } from "./home.ts";
import { watchHome } from "./home_watch.ts";
import { listenToKeys } from "./hotkeys.ts";
import type { CliIo } from "./io.ts";
import { addressText, originOf } from "./listen_address.ts";
import { isInteractive, openBrowser } from "./open_browser.ts";
import { openListeners, type ServeListeners } from "./serve_listeners.ts";
import { openServeLog } from "./serve_log.ts";
import { shellQuote } from "./shell_quote.ts";
import { listenToStop } from "./stop_request.ts";
import { isShortToken, readToken, SHORT_TOKEN, SHOWN_TOKEN } from "./token.ts";

/** How long responses under way may take once it is asked to stop, in ms. */
const GRACE_MS = 3_000;
/** When it exits at the latest; a supervisor's patience is 5 s. */
const DEADLINE_MS = 4_500;
/** How long the log may take to write what it still holds, in ms. */
const LAST_LINES_MS = 300;

/**
 * Serves a home until it is told to stop; says on stdout, once, that it accepts connections: in
 * words, or with `--json` as an object `{ url, home, pid, version, access, listen, … }`.
 *
 * @throws {CliFailure} when it can't
 */
export async function serve(command: ServeCommand, processIo: CliIo): Promise<number> {
  const plan = resolveAccess(command, processIo.env);
  const token = await readToken(processIo, plan.token);
  const daemon = await daemonChild(command, processIo);
  const io = daemon?.io ?? processIo;
  const choice = command.log ?? (command.quiet ? "off" : undefined);
  const log = openServeLog(io, choice, token === null ? [] : [token]);
  if (token !== null && isShortToken(token)) log.notice(SHORT_TOKEN, "warn");
  if (plan.token?.kind === "option") log.notice(SHOWN_TOKEN, "warn");
  try {
    const surface = surfaceOf(plan, io.cwd);
    return await serveHome({ command, io, daemon, surface, plan, token, log });
  } finally {
    await log.flush(LAST_LINES_MS);
  }
}

interface ServeParts {
  readonly command: ServeCommand;
  readonly io: CliIo;
  readonly daemon: DaemonChild | null;
  readonly surface: StartupSurface;
  readonly plan: AccessPlan;
  readonly token: string | null;
  readonly log: Log;
}

async function serveHome(parts: ServeParts): Promise<number> {
  const { command, io, daemon, plan, token, log } = parts;
  const { paths, isNew } = await prepareHome(io, command.home);
  await noteOpenHome(io, log, paths.home);
  const lock = await acquireHomeLock(paths.home, io.host.files);
  const stopping = listenToStop(io);
  const startedAt = new Date(io.host.clock.now()).toISOString();
  const announce = async (address: string | null): Promise<void> => {
    const { pid, startTime: process_start } = thisProcess();
    const notice = await lock.announce({
      pid,
      process_start,
      address,
      started_at: startedAt,
      version: VERSION,
    });
    if (notice !== null && address !== null) log.notice(notice, "warn");
  };
  let running: Running | null = null;
  let endWatch = () => {};
  let isMoved = false;
  try {
    await announce(null);
    endWatch = await watchHome(io, paths.home, () => {
      isMoved = true;
      log.notice(
        `stopping: ${paths.home} was moved or removed; start it at its new place`,
        "error",
      );
      stopping.stop();
    });
    running = await start({ ...parts, paths, startedAt, stop: stopping.stop });
    const origin = originOf(running.listeners.addresses[0]);
    await announce(origin);
    const notice = await daemon?.record(paths, running.status()) ?? null;
    if (notice !== null) log.notice(notice, "warn");
    if (isNew) welcome(log, paths, origin);
    const missing = await defaultAgentNotice(io, paths);
    if (missing !== null) log.notice(missing, "warn");
    // A start that worked makes an earlier failure history.
    await forgetFailures(io.host.files, paths.run);
    await log.flush(LAST_LINES_MS);
    running.ready();
    io.out(readyText({ command, io, paths, plan, token, running }));
    if (command.open && isInteractive(io)) openBrowser(io, origin);
    const endKeys = listenToKeys(io, origin, stopping.stop);
    await stopping.requested;
    endKeys();
    if (!isMoved) log.notice("stopping");
    return isMoved ? EXIT.failed : EXIT.ok;
  } finally {
    endWatch();
    if (running !== null) await atMost(DEADLINE_MS, end(running, isMoved));
    await lock.release(isMoved);
    stopping.dispose();
  }
}

interface Running {
  readonly holon: Holon;
  readonly listeners: ServeListeners;
  status(): RuntimeStatus;
  /** Says that it is healthy from now on. */
  ready(): void;
}

interface StartOptions extends ServeParts {
  readonly paths: HomePaths;
  readonly startedAt: string;
  readonly stop: () => void;
}

async function start(options: StartOptions): Promise<Running> {
  const { io, surface, paths, startedAt, plan, token, log, stop } = options;
  const debug = (io.env.HOLON_DEBUG ?? "") !== "";
  let healthy = false;
  const { listen, notice } = await chooseAddresses(plan);
  if (notice !== null) log.notice(notice, "warn");
  let bound = listen;
  let connections = () => 0;
  const status = (): RuntimeStatus => ({
    healthy,
    pid: io.host.processes.pid,
    home_dir: paths.home,
    socket_path: paths.socket,
    http_addr: addressText(bound[0]),
    started_at: startedAt,
    version: VERSION,
    runtime: `${io.host.runtime} ${io.host.version}`,
    token_required: token !== null,
    config_fingerprint: fingerprintOf(surface),
    startup_surface: surface,
    started_by: options.daemon === null ? "serve" : "daemon",
    ...reachOf(plan, bound),
  });
  const holon = await createHolon({
    host: io.host,
    home: paths.home,
    token,
    advertisedHost: plan.advertise?.host ?? null,
    environment: io.env,
    runtime: { status, requestShutdown: stop },
    onNotice: (sentence) => log.notice(sentence, "warn"),
    onError: log.error,
    log,
    connections: () => connections(),
  });
  try {
    const listeners = await openListeners(io, paths, listen, {
      fetch: holon.fetch,
      onRefused: holon.onRefused,
      onError: debug ? (error) => log.error(error) : () => {},
    });
    bound = listeners.addresses;
    connections = listeners.connections;
    return { holon, listeners, status, ready: () => void (healthy = true) };
  } catch (error) {
    await holon.close();
    throw error;
  }
}

/** Ends streams, lets responses and writes finish, closes the database. */
async function end({ holon, listeners }: Running, isMoved: boolean): Promise<void> {
  await Promise.all([listeners.close(GRACE_MS, isMoved), holon.close()]);
}

interface ReadyParts {
  readonly command: ServeCommand;
  readonly io: CliIo;
  readonly paths: HomePaths;
  readonly plan: AccessPlan;
  readonly token: string | null;
  readonly running: Running;
}

/** What stdout gets, once; supervisors and scripts wait for it. */
function readyText({ command, io, paths, plan, token, running }: ReadyParts): string {
  const bound = running.listeners.addresses;
  const reach = reachOf(plan, bound);
  if (!command.json) {
    const facts = { reach, bound, machine: hostname(), hasToken: token !== null };
    return readyLines(facts).map((line) => `${line}\n`).join("");
  }
  const { pid } = io.host.processes;
  const url = originOf(bound[0]);
  return `${JSON.stringify({ url, home: paths.home, pid, version: VERSION, ...reach })}\n`;
}

async function noteOpenHome(io: CliIo, log: Log, home: string): Promise<void> {
  const { mode } = await io.host.files.stat(home);
  if ((mode & 0o077) === 0) return;
  log.notice(`others can look into the home; run: chmod 700 ${shellQuote(home)}`, "warn");
}

function welcome(log: Log, paths: HomePaths, origin: string): void {
  const url = `${origin}/apps/${FIRST_AGENT}/${FIRST_APP}/`;
  log.notice(`made ${paths.home} with the agent ${FIRST_AGENT} and a first app: ${url}`);
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
