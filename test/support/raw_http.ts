/**
 * A raw HTTP/1.1 client for tests: sends exactly the bytes that it is given and shows what came
 * back, down to how the connection ended.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { connect as connectSocket, type Socket } from "node:net";

/** Where to connect. */
export type RawTarget =
  | { readonly port: number; readonly host?: string }
  | { readonly path: string };

/** A response as it came in. */
export interface RawResponse {
  readonly version: string;
  readonly status: number;
  readonly reason: string;
  /** Header lines in the order they came in, names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The first value of a header; `null` without one. */
  header(name: string): string | null;
  readonly body: Buffer;
  text(): string;
  // deno-lint-ignore no-explicit-any
  json(): any;
  /** Whether the body came in whole by its own framing. */
  readonly complete: boolean;
}

/** How a connection ended: by FIN, by an error such as RST, or not yet. */
export type RawEnd = "error" | "fin" | "open";

/** One connection. Every wait rejects after `timeoutMs`. */
export interface RawConnection {
  readonly socket: Socket;
  /** Bytes that came in and were not taken yet. */
  pending(): Buffer;
  write(bytes: string | Uint8Array): void;
  /** Reads one response. `head`: it answers a HEAD request, so there is no body. */
  response(
    options?: { readonly head?: boolean; readonly timeoutMs?: number },
  ): Promise<RawResponse>;
  /** Reads only a response's head; the body stays pending. */
  head(timeoutMs?: number): Promise<RawResponse>;
  /** Waits until a text has come in; takes and gives all up to its end. */
  until(text: string, timeoutMs?: number): Promise<string>;
  /** Takes exactly so many bytes, or fewer if the connection ends before. */
  take(count: number, timeoutMs?: number): Promise<Buffer>;
  /** Waits for the end of the connection; takes what is left. */
  rest(timeoutMs?: number): Promise<Buffer>;
  /** Waits for the end of the connection, throwing away what comes in, and says how it ended. */
  ended(timeoutMs?: number): Promise<RawEnd>;
  /** How the connection stands now. */
  state(): RawEnd;
  /** Stops and restarts reading from the socket. */
  pause(): void;
  resume(): void;
  /** Sends FIN and goes on reading. */
  finish(): void;
  /** Cuts the connection by RST. */
  reset(): void;
  /** Closes at once. */
  close(): void;
}

const WAIT_MS = 10_000;

/** Opens a connection. */
export async function rawConnect(target: RawTarget): Promise<RawConnection> {
  const socket = "path" in target
    ? connectSocket({ path: target.path, allowHalfOpen: true })
    : connectSocket({ port: target.port, host: target.host ?? "127.0.0.1", allowHalfOpen: true });
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  return wrap(socket);
}

/** Sends bytes on a connection of its own, reads one response and closes. */
export async function rawRequest(
  target: RawTarget,
  bytes: string | Uint8Array,
  options: { readonly head?: boolean; readonly timeoutMs?: number } = {},
): Promise<RawResponse> {
  const connection = await rawConnect(target);
  try {
    connection.write(bytes);
    const head = options.head ??
      (typeof bytes === "string" && bytes.startsWith("HEAD "));
    return await connection.response({ ...options, head });
  } finally {
    connection.close();
  }
}

/** The text of a GET request with a valid Host; header lines without line ends. */
export function get(target: string, ...lines: string[]): string {
  return [`GET ${target} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n");
}

/** One event of an event stream. */
export interface RawEvent {
  readonly id: string | null;
  readonly event: string;
  readonly data: string;
}

/** Reads the next event of a stream whose head was taken; passes over comments. */
export async function nextEvent(
  connection: RawConnection,
  timeoutMs: number = WAIT_MS,
): Promise<RawEvent> {
  while (true) {
    const block = await connection.until("\n\n", timeoutMs);
    const lines = block.split("\n").map((line) => line.replace(/\r$/, ""));
    const field = (name: string) =>
      lines.filter((line) => line.startsWith(`${name}:`))
        .map((line) => line.slice(name.length + 1).replace(/^ /, ""));
    const data = field("data");
    if (data.length === 0) continue;
    return {
      id: field("id").at(-1) ?? null,
      event: field("event").at(-1) ?? "message",
      data: data.join("\n"),
    };
  }
}

function wrap(socket: Socket): RawConnection {
  let held: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let state: RawEnd = "open";
  const watchers = new Set<() => void>();
  const wake = () => watchers.forEach((watcher) => watcher());
  const end = (how: RawEnd) => {
    if (state === "open") state = how;
    wake();
  };
  socket.on("data", (chunk: Buffer) => {
    parts.push(chunk);
    wake();
  });
  socket.on("end", () => end("fin"));
  socket.on("error", () => end("error"));
  socket.on("close", () => end("fin"));
  const pending = () => {
    if (parts.length > 0) {
      held = Buffer.concat([held, ...parts]);
      parts = [];
    }
    return held;
  };
  const taken = (count: number) => {
    const all = pending();
    held = all.subarray(count);
    return all.subarray(0, count);
  };
  const wait = (ready: () => boolean, what: string, timeoutMs: number) =>
    new Promise<void>((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer);
        watchers.delete(look);
      };
      const look = () => {
        if (!ready()) return;
        finish();
        resolve();
      };
      const timer = setTimeout(() => {
        finish();
        const text = pending().subarray(0, 500).toString("latin1");
        reject(new Error(`Waited ${timeoutMs} ms for ${what}; ${state}, pending: ${text}`));
      }, timeoutMs);
      watchers.add(look);
      look();
    });
  const takeUntil = async (text: string, timeoutMs: number) => {
    const found = () => pending().indexOf(text);
    await wait(() => found() >= 0 || state !== "open", JSON.stringify(text), timeoutMs);
    const index = found();
    if (index < 0) {
      throw new Error(`The connection ended (${state}) before ${JSON.stringify(text)}`);
    }
    return taken(index + Buffer.byteLength(text));
  };
  const until = async (text: string, timeoutMs = WAIT_MS) =>
    (await takeUntil(text, timeoutMs)).toString("utf8");
  const take = async (count: number, timeoutMs = WAIT_MS) => {
    let size = 0;
    const enough = () => {
      size = held.length + parts.reduce((sum, part) => sum + part.length, 0);
      return size >= count || state !== "open";
    };
    await wait(enough, `${count} bytes`, timeoutMs);
    return taken(Math.min(count, size));
  };
  const rest = async (timeoutMs = WAIT_MS) => {
    await wait(() => state !== "open", "the end", timeoutMs);
    return taken(pending().length);
  };
  const head = async (timeoutMs = WAIT_MS) =>
    parseHead((await takeUntil("\r\n\r\n", timeoutMs)).toString("latin1"));
  const connection: RawConnection = {
    socket,
    pending,
    write: (bytes) => void socket.write(bytes),
    head,
    until,
    take,
    rest,
    state: () => state,
    ended: async (timeoutMs = WAIT_MS) => {
      socket.resume();
      await wait(
        () => {
          taken(pending().length);
          return state !== "open";
        },
        "the end",
        timeoutMs,
      );
      return state;
    },
    response: async ({ head: noBody = false, timeoutMs = WAIT_MS } = {}) => {
      const first = await head(timeoutMs);
      if (first.status === 100) return connection.response({ head: noBody, timeoutMs });
      const empty = noBody || first.status === 204 || first.status === 304;
      if (empty) return { ...first, complete: true };
      return withBody(first, await readBody(connection, first, timeoutMs));
    },
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    finish: () => void socket.end(),
    reset: () => void socket.resetAndDestroy(),
    close: () => void socket.destroy(),
  };
  return connection;
}

interface RawBody {
  readonly body: Buffer;
  readonly complete: boolean;
}

async function readBody(
  connection: RawConnection,
  head: RawResponse,
  timeoutMs: number,
): Promise<RawBody> {
  const length = head.header("content-length");
  if (head.header("transfer-encoding") === "chunked") return readChunked(connection, timeoutMs);
  if (length === null) {
    const body = await connection.rest(timeoutMs);
    return { body, complete: connection.state() === "fin" };
  }
  const body = await connection.take(Number(length), timeoutMs);
  return { body, complete: body.length === Number(length) };
}

async function readChunked(connection: RawConnection, timeoutMs: number): Promise<RawBody> {
  const chunks: Buffer[] = [];
  try {
    while (true) {
      const size = Number.parseInt(await connection.until("\r\n", timeoutMs), 16);
      const chunk = await connection.take(size, timeoutMs);
      chunks.push(chunk);
      await connection.until("\r\n", timeoutMs);
      if (size === 0) return { body: Buffer.concat(chunks), complete: true };
    }
  } catch (error) {
    if (connection.state() === "open") throw error;
    return { body: Buffer.concat(chunks), complete: false };
  }
}

function parseHead(text: string): RawResponse {
  const [statusLine = "", ...lines] = text.split("\r\n").filter((line) => line !== "");
  const match = /^(HTTP\/\d\.\d) (\d{3}) (.*)$/.exec(statusLine);
  if (match === null) throw new Error(`Not a status line: ${JSON.stringify(statusLine)}`);
  const headers = lines.map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const head = {
    version: match[1]!,
    status: Number(match[2]),
    reason: match[3]!,
    headers,
    header: (name: string) => headers.find(([known]) => known === name.toLowerCase())?.[1] ?? null,
  };
  return withBody(head, { body: Buffer.alloc(0), complete: false });
}

function withBody(
  head: Pick<RawResponse, "header" | "headers" | "reason" | "status" | "version">,
  body: RawBody,
): RawResponse {
  const text = () => body.body.toString("utf8");
  return { ...head, ...body, text, json: () => JSON.parse(text()) };
}
