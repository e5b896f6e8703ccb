/**
 * What a connection needs of the listener that accepted it.
 *
 * @module
 */

import type { Clock, FetchHandler, ListenerLimits, RefusedRequest } from "../types.ts";
import type { Arrivals } from "./arrivals.ts";
import type { Connection } from "./connection.ts";
import type { FieldsMemory } from "./fields_memory.ts";

/** The listener, as its connections see it. */
export interface ConnectionServer {
  readonly fetch: FetchHandler;
  readonly limits: ListenerLimits;
  readonly clock: Clock;
  readonly fields: FieldsMemory;
  readonly arrivals: Arrivals;
  readonly onError: (error: unknown) => void;
  /** Told of requests that no handler sees; never throws. */
  readonly onRefused: (refused: RefusedRequest) => void;
  /** Whether small files are read synchronously. */
  readAtOnce(): boolean;
  /** Whether the listener is closing, so that no connection should be kept. */
  closing(): boolean;
  /** A connection is closed. */
  removed(connection: Connection): void;
}
