/**
 * Stops a home's server: by its own API, then by SIGTERM, then by SIGKILL.
 *
 * @module
 */

import { lstatSync, unlinkSync } from "node:fs";
import { conditionOf, type KnownProcess, signalProcess } from "../../host/known_process.ts";
import { isHomeLocked } from "../../store/home_lock.ts";
import type { HomePaths } from "../home.ts";
import type { CliIo } from "../io.ts";
import { ask } from "./ask.ts";
import { type HomeView, probeHome } from "./probe.ts";
import type { Progress } from "./progress.ts";
import { removeState, STATE } from "./state_files.ts";
import { holdsWithin } from "./timing.ts";

/** What came of a stop. */
export type StopOutcome =
  | {
    readonly kind: "stopped";
    readonly how: "SIGKILL" | "SIGTERM" | "shutdown";
    readonly pid: number;
  }
  /** There was none; or only what another program has there. */
  | { readonly kind: "absent"; readonly view: HomeView }
  /** It lives; its files are as they were. */
  | { readonly kind: "failed"; readonly message: string; readonly view: HomeView };

const SHUTDOWN_PATH = "/api/control/runtime/shutdown";

/**
 * Stops the server and removes its files. The caller holds the lifecycle lock.
 *
 * @param stepMs how long each of the three steps may take
 * @param keepRecord for a restart, which needs `daemon.json` also where the new start fails
 */
export async function stopServer(
  io: CliIo,
  paths: HomePaths,
  stepMs: number,
  progress: Progress,
  keepRecord = false,
): Promise<StopOutcome> {
  const view = await identified(io, paths, stepMs);
  if (view.phase === "foreign") return { kind: "absent", view };
  if (view.phase === "absent") {
    await clean(io, paths, keepRecord);
    return { kind: "absent", view };
  }
  const { process } = view;
  if (process === null) {
    const message = "a process has this home, and which one can't be told: end it by hand, or wait";
    return { kind: "failed", message, view };
  }
  const how = await end(io, paths, view, process, stepMs, progress);
  if (how === "denied") {
    const message = `this user may not end the server (pid ${process.pid}), which goes on`;
    return { kind: "failed", message, view };
  }
  if (how === "lives") {
    const message = `the server (pid ${process.pid}) is still there after SIGKILL`;
    return { kind: "failed", message, view };
  }
  await clean(io, paths, keepRecord);
  return { kind: "stopped", how, pid: process.pid };
}

// --- internal ---

/** A server that has just taken the home says in a moment which process it is. */
async function identified(io: CliIo, paths: HomePaths, stepMs: number): Promise<HomeView> {
  let view = await probeHome(io, paths);
  await holdsWithin(io, stepMs, async () => {
    if (view.phase !== "starting" || view.process !== null) return true;
    view = await probeHome(io, paths);
    return false;
  });
  return view;
}

async function end(
  io: CliIo,
  paths: HomePaths,
  view: HomeView,
  process: KnownProcess,
  stepMs: number,
  progress: Progress,
): Promise<"SIGKILL" | "SIGTERM" | "denied" | "lives" | "shutdown"> {
  const isGone = () => conditionOf(process) === "gone" && !isHomeLocked(paths.home);
  const gone = (waitFor: string) =>
    holdsWithin(io, stepMs, () => {
      if (isGone()) return true;
      progress.waiting(waitFor);
      return false;
    });
  // Halted, it would hear nothing until it is killed.
  let now = view;
  if (conditionOf(process) === "suspended") {
    signalProcess(process, "SIGCONT");
    now = await probeHome(io, paths, stepMs);
  }
  let why = "can't be asked to end";
  if (now.process?.pid === process.pid && now.answer !== null) {
    why = "has not ended";
    const isAsked = await askToEnd(paths, now, process, stepMs);
    if (isAsked && await gone(`the server to end, pid ${process.pid}`)) return "shutdown";
  }
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (isGone()) return signal;
    progress.step(`the server (pid ${process.pid}) ${why}: ${signal}`);
    why = "has not ended";
    if (signalProcess(process, signal) === "denied") return "denied";
    if (await gone(`the server to end after ${signal}, pid ${process.pid}`)) return signal;
  }
  return "lives";
}

/** Whether the server has said that it will end. Only the process that is meant is asked. */
async function askToEnd(
  paths: HomePaths,
  view: HomeView,
  process: KnownProcess,
  timeoutMs: number,
): Promise<boolean> {
  const target = view.connectivity === "tcp" && view.runInfo?.address
    ? { origin: view.runInfo.address }
    : { socketPath: paths.socket };
  const asked = await ask(target, "POST", SHUTDOWN_PATH, { timeoutMs });
  if (asked.kind !== "answer" || asked.status !== 200) return false;
  return (asked.json as { readonly pid?: unknown } | null)?.pid === process.pid;
}

/** Removes what a server that is gone left behind; what is no socket of ours stays. */
async function clean(io: CliIo, paths: HomePaths, keepRecord: boolean): Promise<void> {
  if (isHomeLocked(paths.home)) return;
  const names = ["holon.json", "holon.pid", ...(keepRecord ? [] : [STATE.daemon])];
  await removeState(io.host.files, paths.run, ...names);
  if (lstatSync(paths.socket, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const asked = await ask({ socketPath: paths.socket }, "GET", "/", { timeoutMs: 1_000 });
  if (asked.kind !== "absent") return;
  try {
    unlinkSync(paths.socket);
  } catch {
    // It is gone, or it may stay.
  }
}
