/**
 * What is told of a running Holon, to whoever looks after it.
 *
 * @module
 */

import type { FaultCode } from "../fault.ts";
import type { BodyOutcome } from "../host/types.ts";

/** How urgent a line is. */
export type LogLevel = "error" | "info" | "warn";

/** A request that has been answered. Nothing in it but the path is the client's own text. */
export interface RequestRecord {
  readonly requestId: string;
  /** The client's IP address; `null` on the Unix socket. */
  readonly client: string | null;
  /** `other` for a method that no route has. */
  readonly method: string;
  /** The route's pattern: the path itself may hold what should not be kept. */
  readonly route: string | null;
  readonly agent: string | null;
  readonly app: string | null;
  /** Path of a file of the app that was refused, fit to be told; `null` for all else. */
  readonly path: string | null;
  readonly status: number;
  /** The code of a refusal. */
  readonly code: FaultCode | null;
  /** Bytes that were sent, the head included. */
  readonly bytes: number;
  /** From its arrival to the end of its response. */
  readonly durationMs: number;
  /** How the response ended; `null` for a call without a listener. */
  readonly outcome: BodyOutcome | null;
}

/** Takes what is to be logged. No method throws or waits. */
export interface Logger {
  request(record: RequestRecord): void;
  /** Something that an operator should know, as a sentence. */
  notice(sentence: string, level?: LogLevel): void;
  /** A fault of ours. */
  error(error: unknown, requestId?: string): void;
}
