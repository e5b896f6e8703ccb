/**
 * The files below `<home>/run/` that tell of a home's daemon (`facts/holon.md` §h.1). They are for
 * restarts and for people; whether a server runs is told by the home's lock alone.
 *
 * @module
 */

import { join } from "node:path";
import { z } from "zod";
import type { HostFiles } from "../../host/types.ts";
import { ACCESS_MODES, type AccessOptions, type LogChoice } from "../command.ts";

/** The options of a start that are kept for the next one: all but a token itself. */
export interface KeptOptions extends Omit<AccessOptions, "token"> {
  readonly log?: LogChoice | undefined;
}

/** `daemon.json`: what a daemon that accepts connections says of itself. */
export interface DaemonRecord {
  readonly pid: number;
  /** Tells the process from a later one with its pid; `null` where the system doesn't tell. */
  readonly process_start: string | null;
  readonly home_dir: string;
  readonly socket_path: string;
  readonly http_addr: string;
  /** RFC 3339 UTC. */
  readonly started_at: string;
  readonly version: string;
  readonly runtime: string;
  readonly config_fingerprint: string;
  /** The options as arguments of `holon serve`, to be read by people. */
  readonly serve_args: readonly string[];
  readonly options: KeptOptions;
  /** Whether there was a token that no file holds: a restart has to be given one. */
  readonly control_token_env_configured: boolean;
  /** `HOLON_HTTP_ADDR`, where it counted. */
  readonly http_addr_env?: string | undefined;
}

/** `last_failure.json`, `startup_failure.json` and `shutdown_failure.json`. */
export interface FailureRecord {
  readonly phase: "shutdown" | "startup";
  /** RFC 3339 UTC. */
  readonly at: string;
  readonly message: string;
  readonly pid: number | null;
}

/** Names below `run/`. */
export const STATE = {
  daemon: "daemon.json",
  log: "daemon.log",
  /** What the program wrote outside of its log, such as the last words of a crash. */
  stderr: "daemon.err",
  lastFailure: "last_failure.json",
  startupFailure: "startup_failure.json",
  shutdownFailure: "shutdown_failure.json",
} as const;

/** The size at which the log is begun anew, in bytes, and how many old ones are kept. */
export const LOG_LIMITS: { readonly maxBytes: number; readonly keep: number } = {
  maxBytes: 8 * 1024 * 1024,
  keep: 3,
};

const MAX_BYTES = 64 * 1024;

const text = z.string().max(4096);

const OPTIONS: z.ZodType<KeptOptions> = z.object({
  access: z.enum(ACCESS_MODES).optional(),
  host: text.optional(),
  listen: text.optional(),
  port: z.int().min(0).max(65_535).optional(),
  advertise: text.optional(),
  callbackBaseUrl: text.optional(),
  tokenFile: text.optional(),
  log: z.enum(["json", "off", "text"]).optional(),
});

const RECORD: z.ZodType<DaemonRecord> = z.object({
  pid: z.int().min(2),
  process_start: text.nullable(),
  home_dir: text,
  socket_path: text,
  http_addr: text,
  started_at: text,
  version: text,
  runtime: text,
  config_fingerprint: text,
  serve_args: z.array(text),
  options: OPTIONS,
  control_token_env_configured: z.boolean(),
  http_addr_env: text.optional(),
});

const FAILURE: z.ZodType<FailureRecord> = z.object({
  phase: z.enum(["shutdown", "startup"]),
  at: text,
  message: text,
  pid: z.int().nullable(),
});

/** Reads `daemon.json`; `null` when there is none, or when it is not what a daemon wrote. */
export function readDaemonRecord(files: HostFiles, run: string): Promise<DaemonRecord | null> {
  return readAs(files, join(run, STATE.daemon), RECORD);
}

/** Reads a record of a failure; `null` as {@linkcode readDaemonRecord}. */
export function readFailure(
  files: HostFiles,
  run: string,
  name: string = STATE.lastFailure,
): Promise<FailureRecord | null> {
  return readAs(files, join(run, name), FAILURE);
}

/** Writes a file of `run/` in one step. */
export async function writeState(
  files: HostFiles,
  run: string,
  name: string,
  value: DaemonRecord | FailureRecord,
): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify(value, undefined, 2) + "\n");
  await files.replace(join(run, name), bytes, 0o600);
}

/** Notes a failure, as far as that can be written. */
export async function noteFailure(
  files: HostFiles,
  run: string,
  failure: FailureRecord,
): Promise<void> {
  const own = failure.phase === "startup" ? STATE.startupFailure : STATE.shutdownFailure;
  for (const name of [own, STATE.lastFailure]) {
    await writeState(files, run, name, failure).catch(() => {});
  }
}

/** Removes what was noted of earlier failures: a success has made them history. */
export async function forgetFailures(files: HostFiles, run: string): Promise<void> {
  await removeState(files, run, STATE.startupFailure, STATE.shutdownFailure, STATE.lastFailure);
}

/** Removes files of `run/`, as far as they can be. */
export async function removeState(
  files: HostFiles,
  run: string,
  ...names: readonly string[]
): Promise<void> {
  for (const name of names) await files.remove(join(run, name)).catch(() => {});
}

/** The options as arguments of `holon serve`. */
export function serveArguments(options: KeptOptions): readonly string[] {
  const { access, host, listen, port, advertise, callbackBaseUrl, tokenFile, log } = options;
  const given: readonly (readonly [string, string | number | undefined])[] = [
    ["--access", access],
    ["--host", host],
    ["--listen", listen],
    ["--port", port],
    ["--advertise", advertise],
    ["--callback-base-url", callbackBaseUrl],
    ["--token-file", tokenFile],
    ["--log", log],
  ];
  // One word each, so that a value that begins with a dash is no option.
  return given.flatMap(([name, value]) => value === undefined ? [] : [`${name}=${value}`]);
}

async function readAs<T>(files: HostFiles, path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    const bytes = await files.read(path, MAX_BYTES);
    return schema.parse(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return null;
  }
}
