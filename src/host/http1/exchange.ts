/**
 * What sending one response needs to know.
 *
 * @module
 */

import type { BodyOutcome, Clock } from "../types.ts";
import type { Wire } from "./wire.ts";

/** One request that waits for its response. */
export interface Exchange {
  readonly method: string;
  readonly minorVersion: 0 | 1;
  readonly wire: Wire;
  readonly clock: Clock;
  /** Whether files of up to 64 KiB are read synchronously. */
  readonly readAtOnce: boolean;
  /** Whether the connection may be used again; asked when the head is written. */
  keepAlive(): boolean;
  /** Called when an event stream begins, which ends when the client sends FIN. */
  onEventStream(): void;
  /** Told what went wrong with a body. */
  onError(error: unknown): void;
}

/** How sending a response ended. */
export interface SendResult {
  readonly outcome: BodyOutcome;
  /** Whether the connection is still in step and may carry another response. */
  readonly reusable: boolean;
}

/** The result when the client is gone. */
export function gone(wire: Wire): SendResult {
  return { outcome: wire.end ?? "client_gone", reusable: false };
}
