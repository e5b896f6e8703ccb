/**
 * What the terminal UI needs of a connection; `src/cli/` gives it one that leads to a server.
 *
 * @module
 */

import type { ServerFacts } from "../state/types.ts";

/** One request for JSON. */
export interface LinkRequest {
  readonly method: "GET" | "POST";
  /** Path and query, percent-encoded. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** One event of a stream. */
export interface LinkEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** A stream to open. */
export interface StreamRequest {
  readonly path: string;
  readonly lastEventId: string;
  readonly signal: AbortSignal;
  /** Called once the server has answered. */
  readonly onOpen: () => void;
  /** Called for whatever arrives, heartbeats included. */
  readonly onAlive: () => void;
}

/** A connection to one server. Everything it throws is a `LinkFailure`. */
export interface LinkClient {
  /** Where it leads, as a person reads it. */
  readonly label: string;
  readonly remote: boolean;
  /** The URL that was dialled; `null` on the local socket. */
  readonly url: string | null;
  /** Makes sure that both speak the same protocol. */
  handshake(signal: AbortSignal): Promise<ServerFacts>;
  /** A good answer's body. */
  json(request: LinkRequest): Promise<Record<string, unknown>>;
  /** Events until the server ends the stream. */
  events(request: StreamRequest): AsyncIterable<LinkEvent>;
}
