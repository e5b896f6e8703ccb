/**
 * Finds out who serves a home, and how that one is.
 *
 * @module
 */

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { conditionOf, type KnownProcess } from "../../host/known_process.ts";
import { processStartTime } from "../../host/process_identity.ts";
import { isHomeLocked, readRunInfo, type RunInfo } from "../../store/home_lock.ts";
import type { HomePaths } from "../home.ts";
import type { CliIo } from "../io.ts";
import { ask, type Asked } from "./ask.ts";
import { type DaemonRecord, readDaemonRecord } from "./state_files.ts";

/** What a server that answers says of itself. */
export interface ServerAnswer {
  readonly healthy: boolean;
  readonly pid: number;
  readonly home_dir: string;
  readonly http_addr: string;
  readonly started_at: string;
  readonly config_fingerprint: string | null;
  readonly startup_surface: unknown;
  readonly isDaemon: boolean;
  readonly version: string | null;
  readonly advertise_url: string | null;
}

/** By which way the server could be asked. */
export type Connectivity = "none" | "tcp" | "unix_socket" | "unreachable";

/** How a home's server is. */
export type ServerPhase =
  /** It answers and is healthy. */
  | "ready"
  /** It has the home, and does not accept connections yet. */
  | "starting"
  /** It was halted by SIGSTOP or a terminal. */
  | "suspended"
  /** It had been up, and does not answer. */
  | "unresponsive"
  /** None runs. */
  | "absent"
  /** None runs, and something else listens on the home's socket. */
  | "foreign";

/** All that could be found out. */
export interface HomeView {
  readonly phase: ServerPhase;
  readonly connectivity: Connectivity;
  /** The process; `null` when none runs, or when which one it is can't be told. */
  readonly process: KnownProcess | null;
  readonly answer: ServerAnswer | null;
  /** Whether the server has the home under another path: it was moved meanwhile. */
  readonly isMoved: boolean;
  readonly runInfo: RunInfo | null;
  readonly record: DaemonRecord | null;
  /** Files of `run/` that a server left behind, when none runs. */
  readonly staleFiles: readonly string[];
}

const READINESS_PATH = "/api/control/runtime/readiness";
/** How long a server may take to answer, in ms; a busy one is slow, not gone. */
const PATIENCE_MS = 1_000;

/** Looks at a home. Nothing is changed, and no process is signalled. */
export async function probeHome(
  io: CliIo,
  paths: HomePaths,
  patienceMs: number = PATIENCE_MS,
): Promise<HomeView> {
  const { files } = io.host;
  const asked = await ask({ socketPath: paths.socket }, "GET", READINESS_PATH, {
    timeoutMs: patienceMs,
  });
  const isLocked = isHomeLocked(paths.home);
  const [runInfo, record] = await Promise.all([
    readRunInfo(paths.home, files),
    readDaemonRecord(files, paths.run),
  ]);
  const recorded = liveProcess(runInfo) ?? liveProcess(record);
  const shared = { runInfo, record, staleFiles: [] };
  const answer = readAnswer(asked);
  // A lock that somebody removed doesn't make a server that answers for this home a stranger.
  if (answer !== null && (isLocked || answer.home_dir === paths.home)) {
    const startTime = recorded?.pid === answer.pid
      ? recorded.startTime
      : processStartTime(answer.pid);
    return {
      ...shared,
      phase: answer.healthy ? "ready" : "starting",
      connectivity: "unix_socket",
      process: { pid: answer.pid, startTime },
      answer,
      isMoved: answer.home_dir !== paths.home,
    };
  }
  const isForeign = asked.kind === "answer" || asked.kind === "other";
  if (!isLocked) {
    const isTaken = isForeign || asked.kind === "silent";
    return {
      ...shared,
      phase: isTaken ? "foreign" : "absent",
      connectivity: asked.kind === "silent" ? "unreachable" : "none",
      process: null,
      answer: null,
      isMoved: false,
      staleFiles: leftOver(paths).filter((path) => !isTaken || path !== paths.socket),
    };
  }
  const base = { ...shared, process: recorded, answer: null, isMoved: wasMoved(paths, record) };
  if (recorded !== null && conditionOf(recorded) === "suspended") {
    return { ...base, phase: "suspended", connectivity: "unreachable" };
  }
  const isUp = recorded !== null && recorded.pid === runInfo?.pid && runInfo.address !== null;
  if (!isUp) return { ...base, phase: "starting", connectivity: "none" };
  // Its socket may be gone while it lives.
  const byTcp = asked.kind === "silent"
    ? asked
    : await ask({ origin: runInfo.address! }, "GET", READINESS_PATH, { timeoutMs: patienceMs });
  const told = readAnswer(byTcp);
  if (told?.pid === recorded.pid) {
    const phase = told.healthy ? "ready" : "starting";
    return { ...base, phase, connectivity: "tcp", answer: told };
  }
  if (wantsToken(byTcp)) return { ...base, phase: "ready", connectivity: "tcp" };
  return { ...base, phase: "unresponsive", connectivity: "unreachable" };
}

// --- internal ---

/** What a server says of itself; `null` when it is none of ours. */
function readAnswer(asked: Asked): ServerAnswer | null {
  if (asked.kind !== "answer" || asked.status !== 200) return null;
  if (typeof asked.json !== "object" || asked.json === null) return null;
  const body = asked.json as Readonly<Record<string, unknown>>;
  const { healthy, pid, home_dir, http_addr, started_at, config_fingerprint } = body;
  if (typeof pid !== "number" || typeof home_dir !== "string") return null;
  if (typeof http_addr !== "string" || typeof started_at !== "string") return null;
  return {
    healthy: healthy === true,
    pid,
    home_dir,
    http_addr,
    started_at,
    config_fingerprint: typeof config_fingerprint === "string" ? config_fingerprint : null,
    startup_surface: body.startup_surface,
    isDaemon: body.started_by === "daemon",
    version: typeof body.version === "string" ? body.version : null,
    advertise_url: typeof body.advertise_url === "string" ? body.advertise_url : null,
  };
}

/** Whether a Holon wants a token before it says more. */
function wantsToken(asked: Asked): boolean {
  if (asked.kind !== "answer" || (asked.status !== 401 && asked.status !== 403)) return false;
  return typeof (asked.json as { readonly code?: unknown } | null)?.code === "string";
}

/** The process that a file names, if it is still that one. */
function liveProcess(
  file: { readonly pid: number; readonly process_start?: string | null | undefined } | null,
): KnownProcess | null {
  if (file === null) return null;
  const known = { pid: file.pid, startTime: file.process_start ?? null };
  return conditionOf(known) === "gone" ? null : known;
}

function wasMoved({ home }: HomePaths, record: DaemonRecord | null): boolean {
  return record !== null && record.home_dir !== home;
}

/** Files that a server removes when it ends in good order. */
function leftOver({ run, socket }: HomePaths): readonly string[] {
  const files = [socket, join(run, "holon.pid"), join(run, "holon.json")];
  return files.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined);
}
