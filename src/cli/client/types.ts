/**
 * What a client of a server can do.
 *
 * @module
 */

import { CliFailure } from "../failure.ts";

/** Where a server is. */
export type Endpoint =
  | { readonly kind: "local"; readonly socket: string; readonly home: string }
  | { readonly kind: "remote"; readonly url: string; readonly token: string };

/** How long things may take, in ms. */
export interface ClientTimeouts {
  /** Until a connection is there. */
  readonly connectMs: number;
  /** From the beginning until the answer begins. */
  readonly openMs: number;
  /** From the beginning until a JSON answer has come whole; event streams have no such end. */
  readonly totalMs: number;
  /** Without a byte on an event stream; the server sends a heartbeat every 15 s. */
  readonly idleMs: number;
}

/** One request with a JSON answer. */
export interface ClientRequest {
  readonly method: "DELETE" | "GET" | "PATCH" | "POST" | "PUT";
  /** Path and query below the server's address, percent-encoded; begins with a slash. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes the place of {@linkcode ClientTimeouts.openMs} and `totalMs`. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** A request for an event stream. */
export interface StreamRequest {
  /** As {@linkcode ClientRequest.path}. */
  readonly path: string;
  /** The last event that was seen, to go on behind it. */
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal;
}

/** What came back. */
export interface ClientAnswer {
  readonly status: number;
  /** The parsed body; `undefined` where there is none (204). */
  readonly json: unknown;
}

/** One event of a stream. */
export interface ServerEvent {
  /** Its type; `message` where the server named none. */
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** An event stream that the server has opened. */
export interface EventStream extends AsyncIterable<ServerEvent> {
  /** The number of the newest event, where the server tells it (`X-Holon-Newest-Event-Id`). */
  readonly newestEventId: string | null;
  /** Ends it; a loop over it ends then, too. */
  close(): void;
}

/** A server as commands and the terminal UI reach it: over the socket, or at a URL with a token. */
export interface Connection {
  readonly kind: "local" | "remote";
  /** How sentences name it: the URL, or `the server of HOME`. */
  readonly name: string;
  /** The URL that is dialled, without a slash at its end; `null` for the socket. */
  readonly url: string | null;
  /**
   * Sends a request and gives whatever Holon answers, refusals too.
   *
   * @throws {ServerAbsent} when nothing listens on the socket
   * @throws {CliFailure} for every other failure, as a sentence
   */
  send(request: ClientRequest): Promise<ClientAnswer>;
  /**
   * Opens an event stream; resolves once the server has agreed. A loop over it ends when the server
   * ends it, on `close()` and on abort, and throws a {@linkcode CliFailure} when it breaks or
   * stalls. It never connects again by itself.
   *
   * @throws {ServerRefusal} when the server refuses it
   */
  stream(request: StreamRequest): Promise<EventStream>;
}

/** The socket has no server behind it: it is missing, or nothing listens on it. */
export class ServerAbsent extends Error {
  override readonly name = "ServerAbsent";
}

/** The server said no. */
export class ServerRefusal extends CliFailure {
  readonly status: number;
  /** The machine code; empty where there is none. */
  readonly code: string;

  constructor(
    message: string,
    options: { readonly status: number; readonly code: string; readonly hint?: string },
  ) {
    super(message, options.hint === undefined ? {} : { hint: options.hint });
    this.status = options.status;
    this.code = options.code;
  }
}
