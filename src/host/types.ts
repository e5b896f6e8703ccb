/**
 * What a runtime must give: files, a listener, child processes, signals and a clock.
 *
 * Deno, Bun and Node each have one adapter beside this file; nothing outside `host/`, `store/`,
 * `cli/` and `tui/` names a runtime API.
 *
 * @module
 */

import type { FaultCode } from "../fault.ts";
import type { MemoryFile } from "./memory_file.ts";
import type { Moment } from "./moment.ts";

/** The runtimes that Holon runs on. */
export type RuntimeName = "bun" | "deno" | "node";

/** A value now, or later: metadata calls may be synchronous (`design.md` decision 21). */
export type Awaitable<T> = T | Promise<T>;

/** Time, from the host so that tests can set it. */
export interface Clock {
  /** Wall-clock time in ms since the epoch; it may jump. */
  now(): number;
  /** Milliseconds since some start; it never goes back. */
  monotonic(): number;
}

/** Everything that a runtime gives. */
export interface Host {
  readonly runtime: RuntimeName;
  /** The runtime's own version, e.g. `"24.21.0"`. */
  readonly version: string;
  readonly clock: Clock;
  readonly files: HostFiles;
  readonly processes: HostProcesses;
  /** Starts to listen; throws {@linkcode HostError} `address_in_use` or `denied`. */
  listen(options: ListenOptions): Promise<Listener>;
  /** Memory that the process holds right now (its resident set), in bytes. */
  memory(): number;
  /**
   * Writes to stderr, whole, without ever holding up other work, also where a reader has stopped;
   * the call before has to have ended. Rejects where stderr is closed or its disk is full.
   */
  writeStderr(bytes: Uint8Array): Promise<void>;
  /** Calls back on each arrival of a signal; returns a function that stops that. */
  onSignal(signal: HostSignal, callback: () => void): () => void;
}

/** The signals that Holon handles. */
export type HostSignal = "SIGHUP" | "SIGINT" | "SIGTERM";

// --- errors ---

/** Why a host call failed, equal on all runtimes. */
export type HostErrorCode =
  | "address_in_use"
  | "already_exists"
  | "denied"
  | "invalid_path"
  | "io"
  | "is_a_directory"
  | "loop"
  | "moved"
  | "no_space"
  | "not_a_directory"
  | "not_found"
  | "read_only"
  | "too_large"
  | "too_many_open_files";

/** A host call failed. The message may name a host path: never send it to a client. */
export class HostError extends Error {
  override readonly name = "HostError";
  readonly code: HostErrorCode;
  constructor(code: HostErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

// --- files ---

/** What kind of thing a directory entry is. */
export type FileKind = "directory" | "file" | "other" | "symlink";

/** Metadata of a file. Times are whole ms since the epoch (Deno has no finer ones). */
export interface FileStat {
  readonly kind: FileKind;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly dev: number;
  readonly ino: number;
  /** Permission bits only, e.g. `0o600`. */
  readonly mode: number;
  readonly uid: number;
}

/** One entry of a directory, by name. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: FileKind;
}

/** What users of one open file share. */
export interface Sharing {
  /** A range of it that one of them has read as one version. */
  copy: MemoryFile | null;
}

/** A file that was opened once: its metadata and its bytes come from the same handle. */
export interface OpenedFile {
  /** Metadata of the handle, taken right after it was opened or by {@linkcode refresh}. */
  readonly stat: FileStat;
  /** The same object for all that were opened together ({@linkcode HostFiles.openDirect}). */
  readonly sharing?: Sharing;
  /** Takes {@linkcode stat} anew, at once, for a file that is being written. */
  refresh(): void;
  /**
   * Reads into `view` from `position`; resolves to the number of bytes, 0 at the end of the file.
   * A read under way when {@linkcode close} is called finishes on the old handle.
   */
  read(view: Uint8Array, position: number): Promise<number>;
  /** As {@linkcode read}, at once. For up to 64 KiB. */
  readSync(view: Uint8Array, position: number): number;
  /** Metadata of the handle as it is now, at once: tells whether the file changed meanwhile. */
  statNow(): FileStat;
  /** Gives the handle back. A second call does nothing. */
  close(): void;
}

/** Files, by absolute path. Every method throws {@linkcode HostError}. */
export interface HostFiles {
  /** Whether metadata calls are synchronous; off is better for slow (network) disks. */
  blocking: boolean;
  /** The canonical path, every link resolved. */
  realpath(path: string): Awaitable<string>;
  /** Where a symbolic link leads, as it is written in the link. */
  readlink(path: string): Awaitable<string>;
  /** Metadata; a link at the end is not followed. */
  lstat(path: string): Awaitable<FileStat>;
  /** As {@linkcode lstat}, but `null` where nothing is at the path: to throw is dear. */
  find(path: string): Awaitable<FileStat | null>;
  /** Metadata; links are followed. */
  stat(path: string): Awaitable<FileStat>;
  /**
   * Opens a canonical path for reading without following a link at its end and without ever
   * blocking on a FIFO, then verifies that what is open really is at that path.
   *
   * @throws {HostError} `moved` when the path was swapped meanwhile: resolve again
   */
  openCanonical(path: string): Awaitable<OpenedFile>;
  /**
   * Opens a path at once, if that is cheap here and the path turns out to be canonical: no part of
   * it is a link. Otherwise, and for whatever fails, it gives `null`; other ways tell why.
   *
   * @param moment the requests that this is for: what was opened for one of them may be shared
   */
  openDirect(path: string, moment?: Moment): OpenedFile | null;
  /** Metadata at once, a link at the end not followed; otherwise as {@linkcode openDirect}. */
  peek(path: string, moment?: Moment): FileStat | null;
  /**
   * Entries of a directory in no order; at most `limit`. Names that are not valid UTF-8 are left
   * out.
   */
  list(path: string, limit: number): Awaitable<readonly DirectoryEntry[]>;
  /** Reads a whole regular file of at most `limit` bytes, following links. */
  read(path: string, limit: number): Promise<Uint8Array>;
  /** Replaces a file in one step: temporary file, fsync, rename, fsync of the directory. */
  replace(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  /** Writes a new file; throws `already_exists` if there is one. */
  create(path: string, bytes: Uint8Array, mode: number): Promise<void>;
  /** Makes a directory and its parents; an existing one is left as it is. */
  makeDirectory(path: string, mode: number): Promise<void>;
  /** Renames a file or directory. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file (not a directory); a missing one is no error. */
  remove(path: string): Promise<void>;
  /**
   * Watches a directory, not what lies below its own directories; the function that it returns ends
   * that. A hint and no more: events come late, repeated, for nothing, and none for what happens
   * in the first 200 ms or so (Deno), so that an event means "look", and one look comes later.
   *
   * @throws {HostError} when it can't be watched, such as `no_space` once all watches are in use;
   * or it is told of that later (Deno)
   */
  watch(path: string, listener: WatchListener): () => void;
}

/** Who is told of changes to a directory. */
export interface WatchListener {
  /** An entry was added, changed or removed, or the directory itself was. */
  onChange(): void;
  /** The watch has ended by itself, or could not begin. */
  onLost(error: HostError): void;
}

// --- listening ---

/** Where to listen. Port 0 takes any free port. */
export type ListenAddress =
  | { readonly transport: "tcp"; readonly host: string; readonly port: number }
  | { readonly transport: "unix"; readonly path: string };

/** Time-outs and limits, in ms and bytes (`design.md` decision 20). Tests shorten them. */
export interface ListenerLimits {
  /** From the first byte of a request (or the connect) to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** Longest pause while a request body comes in. */
  readonly bodyTimeoutMs: number;
  /** A reader has to take {@linkcode sendMinimumBytes} (or the rest) in this time. */
  readonly sendTimeoutMs: number;
  readonly sendMinimumBytes: number;
  readonly keepAliveTimeoutMs: number;
  readonly maxHeaderBytes: number;
  readonly maxHeaderLines: number;
  readonly maxTargetBytes: number;
  readonly maxConnections: number;
}

/** How the body of a response ended. */
export type BodyOutcome = "client_gone" | "failed" | "finished" | "timed_out";

/** What the listener knows of a request besides the `Request`. */
export interface ConnectionInfo {
  /** The request target as received; at most 8 KiB of visible ASCII. */
  readonly target: string;
  /** The Host header, syntax checked; `null` for an HTTP/1.0 request without one. */
  readonly host: string | null;
  readonly transport: "tcp" | "unix";
  /** The client's address; `null` on a Unix socket. */
  readonly peer: SocketAddress | null;
  /** The connection's own address here; `null` on a Unix socket. */
  readonly local: SocketAddress | null;
  /** Resolves once the response has ended, however it did. */
  readonly ended: Promise<BodyOutcome>;
  /** What the listener answered in the handler's place, as the body did not come in whole. */
  readonly refusal?: () => ListenerRefusal | null;
  /** Bytes of the response that the system has taken so far, its head included. */
  readonly bytesSent?: () => number;
  /** The requests that were received with this one. */
  readonly moment?: Moment;
  /** Whether the listener sends a file range that is attached to a response without a body. */
  readonly sendsFiles?: boolean;
}

/** An IP address and a port. IPv4-mapped IPv6 addresses are given in IPv4 form. */
export interface SocketAddress {
  readonly address: string;
  readonly port: number;
}

/** A fetch handler that also gets what the listener knows. It must not throw. */
export type FetchHandler = (request: Request, info: ConnectionInfo) => Awaitable<Response>;

/** Why the listener answered by itself. */
export interface ListenerRefusal {
  readonly code: FaultCode;
  readonly status: number;
}

/** A request that was refused before it was one: no handler has seen it. */
export interface RefusedRequest extends ListenerRefusal {
  /** The client's address; `null` on a Unix socket. */
  readonly peer: SocketAddress | null;
  /** Bytes that the system took, the head included. */
  readonly bytes: number;
  readonly outcome: BodyOutcome;
}

/** What to listen on and whom to call. */
export interface ListenOptions {
  readonly address: ListenAddress;
  readonly fetch: FetchHandler;
  readonly limits?: Partial<ListenerLimits>;
  /** Told of each request that the listener refused by itself, once that is sent. */
  readonly onRefused?: (refused: RefusedRequest) => void;
  /** Told of errors that have no request to answer to. */
  readonly onError?: (error: unknown) => void;
}

/** A socket that accepts connections. */
export interface Listener {
  /** Where it really listens: the port that was taken. */
  readonly address: ListenAddress;
  /** Connections open now. */
  readonly connections: number;
  /**
   * Stops accepting, drops idle connections, lets responses under way finish for up to `graceMs`,
   * then cuts the rest. Resolves when all is closed. Removes the socket file.
   */
  close(graceMs: number): Promise<void>;
}

// --- file bodies ---

/**
 * A file range that a response sends; the side channel between `http/file_response.ts` and the
 * listener, which may send it by a faster way than the response's own stream.
 */
export interface FileBody {
  readonly file: OpenedFile;
  /** First byte. */
  readonly start: number;
  /** Past the last byte. */
  readonly end: number;
  /**
   * Ends the body, once: closes the file and gives back its permit. The listener calls it when
   * it has taken the body over; otherwise the body's own stream does.
   */
  finish(): void;
}

// --- processes ---

/** What to start, in a process group of its own. */
export interface SpawnOptions {
  /** Program and arguments; the program is looked up in `env.PATH`. */
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to stdin, which is then closed: by {@linkcode HostProcess.begin}, not before. */
  readonly stdin: Uint8Array;
  /** Bytes of stdout and of stderr that are kept; the rest is read and thrown away. */
  readonly outputLimit: number;
}

/** How a process ended and what it wrote. */
export interface ProcessExit {
  /** The exit code; `null` when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The first `outputLimit` bytes, as UTF-8 with replacement characters. */
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
}

/** A process that was started. */
export interface HostProcess {
  readonly pid: number;
  /** Tells this process from a later one with the same pid; `null` where unknown. */
  readonly startTime: string | null;
  /**
   * Hands over stdin, which the process waits for; a second call does nothing. Whoever has to note
   * that the process is there does so first. If this program dies before, stdin ends empty.
   */
  begin(): void;
  /** Settles when the process has ended and its pipes are closed (or 1 s after its end). */
  readonly exited: Promise<ProcessExit>;
  /** Signals the whole process group; false when it is gone. */
  kill(signal: "SIGKILL" | "SIGTERM"): boolean;
}

/** Child processes, and survivors of an earlier run. */
export interface HostProcesses {
  /** This process's id. */
  readonly pid: number;
  /** @throws {HostError} `not_found` or `denied` when the program can't be started */
  spawn(options: SpawnOptions): Promise<HostProcess>;
  /** The start time of a live process; `null` when there is none (or it can't be told). */
  startTime(pid: number): Awaitable<string | null>;
  /** Signals a process group by its leader's pid; false when it is gone. */
  killGroup(pid: number, signal: "SIGKILL" | "SIGTERM"): boolean;
}
