/**
 * What the daemon commands print: an object for programs, sentences for people
 * (`facts/holon.md` §h.1).
 *
 * @module
 */

import { join } from "node:path";
import type { CommonOptions } from "../command.ts";
import { EXIT } from "../failure.ts";
import type { HomePaths } from "../home.ts";
import type { CliIo } from "../io.ts";
import { printable, printJson } from "../output.ts";
import { type HomeView, probeHome, type ServerPhase } from "./probe.ts";
import { lastWords } from "./last_words.ts";
import type { SurfaceDifference } from "./surface.ts";
import { type FailureRecord, readFailure, STATE } from "./state_files.ts";

/** How a home's server is. */
export interface StatusReport {
  /** Whether what was asked for is so; 0 is the exit code then, and 1 otherwise. */
  readonly ok: boolean;
  readonly state: "running" | "stale" | "stopped";
  readonly healthy: boolean;
  readonly phase: ServerPhase;
  readonly home_dir: string;
  readonly socket_path: string;
  readonly http_addr: string | null;
  readonly pid?: number;
  readonly started_at?: string;
  readonly version?: string;
  /** What clients are told to dial. */
  readonly advertise_url?: string;
  readonly control_connectivity: HomeView["connectivity"];
  readonly runtime_config_fingerprint?: string;
  /** Whether the server runs by the options that `daemon restart` would keep. */
  readonly config_fingerprint_match?: boolean;
  /** Only one that no later start has made history. */
  readonly last_failure?: ShownFailure;
  readonly stale_files?: readonly string[];
  readonly log_path: string;
  readonly message: string;
}

/** A failure, or an end that nobody asked for. */
export interface ShownFailure {
  readonly phase: FailureRecord["phase"] | "runtime";
  /** RFC 3339 UTC; `null` where it isn't known. */
  readonly at: string | null;
  readonly message: string;
}

/** What a command that starts or stops a server came to. */
export interface LifecycleReport extends StatusReport {
  readonly action: "restart" | "start" | "stop";
  /** Whether anything was done. */
  readonly changed: boolean;
  /** What differs from the server that runs, where that is in the way. */
  readonly differences?: readonly SurfaceDifference[];
  /** What to do. */
  readonly hint?: string;
}

/** Looks at a home and tells of it. */
export async function reportStatus(
  io: CliIo,
  paths: HomePaths,
  given?: HomeView,
): Promise<StatusReport> {
  const view = given ?? await probeHome(io, paths);
  const { answer, record, runInfo, process } = view;
  const isRunning = view.phase !== "absent" && view.phase !== "foreign";
  const failure = await currentFailure(io, paths, view);
  const startedAt = answer?.started_at ?? (isRunning ? runInfo?.started_at : undefined);
  const fingerprint = answer?.config_fingerprint ?? null;
  return {
    ok: view.phase === "ready",
    state: isRunning ? "running" : view.staleFiles.length > 0 ? "stale" : "stopped",
    healthy: view.phase === "ready",
    phase: view.phase,
    home_dir: paths.home,
    socket_path: paths.socket,
    http_addr: answer?.http_addr ?? (isRunning ? runInfo?.address?.replace("http://", "") : null) ??
      null,
    ...(process === null ? {} : { pid: process.pid }),
    ...(startedAt === undefined ? {} : { started_at: startedAt }),
    ...(answer === null || answer.version === null ? {} : { version: answer.version }),
    ...(answer === null || answer.advertise_url === null
      ? {}
      : { advertise_url: answer.advertise_url }),
    control_connectivity: view.connectivity,
    ...(fingerprint === null ? {} : { runtime_config_fingerprint: fingerprint }),
    ...(fingerprint === null || record === null
      ? {}
      : { config_fingerprint_match: record.config_fingerprint === fingerprint }),
    ...(failure === null ? {} : { last_failure: failure }),
    ...(view.staleFiles.length === 0 ? {} : { stale_files: view.staleFiles }),
    log_path: join(paths.run, STATE.log),
    message: sentence(paths, view),
  };
}

/** Prints what a command came to; gives the exit code. */
export function printLifecycle(
  io: CliIo,
  { json, quiet }: Pick<CommonOptions, "json" | "quiet">,
  report: LifecycleReport,
): number {
  if (json) {
    const { ok, action, ...rest } = report;
    printJson(io, { ok, action, ...rest });
  } else if (report.ok) {
    if (!quiet) io.out(`${printable(report.message)}\n`);
  } else {
    io.err(`holon: ${printable(report.message)}\n`);
    for (const { field, running, asked } of report.differences ?? []) {
      io.err(printable(`  ${field}: it runs with ${running}, asked for is ${asked}`) + "\n");
    }
    if (report.hint !== undefined) io.err(`  ${printable(report.hint)}\n`);
  }
  return report.ok ? EXIT.ok : EXIT.failed;
}

/** Where a server runs, for sentences. */
export function whereItRuns({ answer, runInfo, process }: HomeView): string {
  const address = runInfo?.address ?? (answer === null ? null : `http://${answer.http_addr}`);
  const pid = process === null ? "" : ` (pid ${process.pid})`;
  const others = answer?.advertise_url ?? null;
  const known = others === null || others === address ? "" : `, for others at ${others}`;
  return `${address === null ? "" : ` at ${address}`}${pid}${known}`;
}

// --- internal ---

async function currentFailure(
  io: CliIo,
  paths: HomePaths,
  view: HomeView,
): Promise<ShownFailure | null> {
  const { phase, answer, runInfo, record, staleFiles } = view;
  const noted = await readFailure(io.host.files, paths.run);
  const since = answer?.started_at ?? runInfo?.started_at ?? record?.started_at;
  const isCurrent = noted !== null && (since === undefined || noted.at > since);
  if (isCurrent) return { phase: noted.phase, at: noted.at, message: noted.message };
  // A server that ends in good order takes these files away.
  if (phase !== "absent" || staleFiles.length === 0 || runInfo === null) return null;
  const words = await lastWords(paths.run);
  return {
    phase: "runtime",
    at: null,
    message: `The server (pid ${runInfo.pid}) ended without being asked to: it was killed, or ` +
      `it crashed${words === null ? "" : `: ${words}`}`,
  };
}

function sentence(paths: HomePaths, view: HomeView): string {
  const where = whereItRuns(view);
  const moved = view.isMoved
    ? `. The home was moved here while it ran from ${
      view.answer?.home_dir ?? view.record?.home_dir ?? "elsewhere"
    }: it ends itself in a moment`
    : "";
  switch (view.phase) {
    case "ready":
      return `Holon runs${where}${moved}`;
    case "starting":
      return `Holon is starting${where}${moved}`;
    case "suspended":
      return `Holon${where} was halted (SIGSTOP): \`kill -CONT ${view.process?.pid ?? "PID"}\` ` +
        "lets it go on";
    case "unresponsive":
      return `Holon${where} has this home and does not answer: \`holon daemon restart\` ends it ` +
        "and starts it anew";
    case "foreign":
      return `No server runs on ${paths.home}, and another program listens on its socket`;
    case "absent":
      return absence(paths, view);
  }
}

function absence(paths: HomePaths, { record, staleFiles }: HomeView): string {
  if (record !== null && record.home_dir !== paths.home) {
    return `No server runs on ${paths.home}. It was moved here from ${record.home_dir} while its ` +
      "server ran, which has ended";
  }
  return staleFiles.length === 0
    ? `No server runs on ${paths.home}`
    : `No server runs on ${paths.home}; the last one left files behind, which keep nothing from ` +
      "starting";
}
