/**
 * Starts a home's server in the background and waits until it is ready.
 *
 * @module
 */

import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { StartupSurface } from "../../config/routes.ts";
import { type DetachedProcess, startDetached } from "../../host/detached.ts";
import { HostError } from "../../host/types.ts";
import type { AccessPlan } from "../access/access_plan.ts";
import { resolveAccess } from "../access/resolve_access.ts";
import { CliFailure, hostErrorWords } from "../failure.ts";
import type { HomePaths } from "../home.ts";
import type { CliIo } from "../io.ts";
import { readToken } from "../token.ts";
import { ask } from "./ask.ts";
import { CHILD_VARIABLE, keptOptions } from "./child.ts";
import type { GivenOptions } from "./inherit.ts";
import { lastWords } from "./last_words.ts";
import { type HomeView, probeHome } from "./probe.ts";
import type { Progress } from "./progress.ts";
import { serveArguments, STATE } from "./state_files.ts";
import { differences, fingerprintOf, type SurfaceDifference, surfaceOf } from "./surface.ts";
import { POLL_MS } from "./timing.ts";

/** A start that was found to be sound, before anything is touched. */
export interface PlannedStart {
  readonly options: GivenOptions;
  readonly surface: StartupSurface;
  /** The token, wherever it came from. */
  readonly token: string | null;
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What came of a start. */
export type StartOutcome =
  | { readonly kind: "started"; readonly view: HomeView }
  /** By the same options. */
  | { readonly kind: "running"; readonly view: HomeView }
  | {
    readonly kind: "differs";
    readonly view: HomeView;
    readonly differences: readonly SurfaceDifference[];
  }
  /** It lives, and is not ready yet. */
  | { readonly kind: "slow"; readonly view: HomeView }
  /** Another program, or a server that does not answer, is in the way. */
  | { readonly kind: "blocked"; readonly view: HomeView }
  | { readonly kind: "failed"; readonly message: string; readonly pid: number };

/** How long a server that is ready has to last, in ms. */
const STEADY_MS = 200;

/**
 * Decides on the options of a start.
 *
 * @param httpAddress stands in for `HOLON_HTTP_ADDR`
 * @throws {CliFailure} that says what is wrong with them
 */
export async function planStart(
  io: CliIo,
  given: GivenOptions,
  httpAddress?: string,
): Promise<PlannedStart> {
  const { tokenFile } = given;
  const options = {
    ...given,
    // The server runs in another folder.
    tokenFile: tokenFile === undefined ? undefined : resolve(io.cwd, tokenFile),
  };
  const address = io.env.HOLON_HTTP_ADDR || httpAddress;
  const env = { ...io.env, HOLON_HTTP_ADDR: address };
  const plan: AccessPlan = resolveAccess(
    tokenFile?.trim() === "" ? given : options,
    env,
  );
  const token = await readToken(io, plan.token);
  return {
    options,
    surface: surfaceOf(plan, io.cwd),
    token,
    env: {
      ...env,
      [CHILD_VARIABLE]: "1",
      HOLON_HOME: undefined,
      // Not as an argument, which everybody on this machine can read.
      HOLON_CONTROL_TOKEN: plan.token?.kind === "file" ? undefined : token ?? undefined,
      // Of a Node that started this command with a channel to it.
      NODE_CHANNEL_FD: undefined,
    },
  };
}

/**
 * Starts the server, if none runs. The caller holds the lifecycle lock, and `run/` exists.
 *
 * @param timeoutMs how long to wait until it is ready; it is left alone after that
 */
export async function startServer(
  io: CliIo,
  paths: HomePaths,
  plan: PlannedStart,
  timeoutMs: number,
  progress: Progress,
): Promise<StartOutcome> {
  const end = io.host.clock.monotonic() + timeoutMs;
  const isLate = () => io.host.clock.monotonic() >= end;
  const before = await settled(io, paths, isLate, progress);
  if (before.phase !== "absent") return await compare(before, plan);
  const child = await startChild(io, paths, plan);
  const view = await untilReady(io, paths, child, isLate, progress);
  if (child.ended() === null) {
    if (view.phase === "ready") return { kind: "started", view };
    // It may not even have come to take the home.
    return { kind: "slow", view: { ...view, phase: "starting", process: child } };
  }
  // Somebody else's server may have been faster.
  const after = await settled(io, paths, isLate, progress);
  if (after.phase !== "absent") return await compare(after, plan);
  const message = await lastWords(paths.run) ?? `it ended with ${child.ended()}, without a word`;
  return { kind: "failed", message, pid: child.pid };
}

// --- internal ---

async function startChild(
  io: CliIo,
  paths: HomePaths,
  plan: PlannedStart,
): Promise<DetachedProcess> {
  const args = ["serve", `--home=${paths.home}`, ...serveArguments(keptOptions(plan.options))];
  const { command, cwd } = io.self(args);
  const stderrFile = join(paths.run, STATE.stderr);
  try {
    return await startDetached({ command, cwd: cwd ?? "/", env: plan.env, stderrFile });
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new CliFailure(`${command[0]} can't be started: ${hostErrorWords(error)}`, {
      ...(io.host.runtime === "deno" && error.code === "denied"
        ? { hint: "Deno needs the permission for it: use `deno run -A`, or give --allow-run." }
        : {}),
      cause: error,
    });
  }
}

/** Looks until a server that is starting is up, or isn't. */
async function settled(
  io: CliIo,
  paths: HomePaths,
  isLate: () => boolean,
  progress: Progress,
): Promise<HomeView> {
  for (;;) {
    const view = await probeHome(io, paths);
    if (view.phase !== "starting" || isLate()) return view;
    progress.waiting("a server that is starting already");
    await delay(POLL_MS);
  }
}

async function untilReady(
  io: CliIo,
  paths: HomePaths,
  child: DetachedProcess,
  isLate: () => boolean,
  progress: Progress,
): Promise<HomeView> {
  for (;;) {
    const view = await probeHome(io, paths);
    const isReady = view.phase === "ready" && view.process?.pid === child.pid;
    if (isReady) await delay(STEADY_MS);
    if (isReady || child.ended() !== null || isLate()) return view;
    progress.waiting(`the server to be ready, pid ${child.pid}`);
    await delay(POLL_MS);
  }
}

/** Whether the server that runs is the one that was asked for. */
async function compare(view: HomeView, plan: PlannedStart): Promise<StartOutcome> {
  if (view.phase === "starting") return { kind: "slow", view };
  if (view.phase !== "ready" || view.isMoved) return { kind: "blocked", view };
  const { answer, runInfo } = view;
  // Without its own word for it, another server's options are not known.
  if (answer === null) return { kind: "blocked", view };
  const isSame = answer.config_fingerprint === fingerprintOf(plan.surface);
  const found = isSame ? [] : differences(answer.startup_surface, plan.surface);
  if (found.length > 0) return { kind: "differs", view, differences: found };
  if (plan.token !== null && await refuses(runInfo?.address ?? null, plan.token)) {
    const difference = { field: "token", running: "another one", asked: "this one" } as const;
    return { kind: "differs", view, differences: [difference] };
  }
  return { kind: "running", view };
}

/** Whether a server at the address does not take the token. */
async function refuses(origin: string | null, token: string): Promise<boolean> {
  if (origin === null) return false;
  const asked = await ask({ origin }, "GET", "/api/agents", { timeoutMs: 2_000, token });
  return asked.kind === "answer" && asked.status === 401;
}
