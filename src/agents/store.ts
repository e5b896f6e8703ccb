/**
 * Messages as stored. Each method is one transaction, with the events that belong to it.
 *
 * @module
 */

import type {
  Enqueued,
  Lease,
  Message,
  MessagePage,
  MessageQuery,
  MessageResult,
  NewMessage,
  QueueCounts,
} from "./types.ts";

/** Who works on a message: a process of ours, or a worker by HTTP. */
export type Holder = "runner" | "worker";

/** A process that works on a message. */
export interface RecordedProcess {
  readonly pid: number;
  /** Tells it from a later process with the same pid; `null` where unknown. */
  readonly startTime: string | null;
}

/** A message that is being worked on. */
export interface HeldMessage extends Message {
  readonly leaseId: string;
  readonly holder: Holder;
  /** How long the lease lasts when it is new, in ms; `null`: as long as the process. */
  readonly leaseMs: number | null;
  readonly process: RecordedProcess | null;
}

/** Bounds of the queue, in messages and bytes. */
export interface QueueLimits {
  readonly appMessages: number;
  readonly appBytes: number;
  readonly agentMessages: number;
  readonly agentBytes: number;
}

/** What finished messages are kept for. */
export interface Retention {
  readonly days: number;
  /** Per agent. */
  readonly count: number;
}

/** A take of waiting messages. */
export interface Take {
  readonly agentId: string;
  readonly holder: Holder;
  readonly limit: number;
  readonly leaseMs: number | null;
  readonly worker: string | null;
}

/** How a held message is put down. */
export type Settlement =
  | { readonly status: "failed" | "succeeded"; readonly result: MessageResult }
  /** Delivered again if it has attempts left, else failed. */
  | { readonly status: "retry"; readonly result: MessageResult }
  /** Delivered again as if this attempt had not been made. */
  | { readonly status: "returned" };

/** The queue of all agents. */
export interface MessageStore {
  /**
   * Puts a message into the queue, or answers an earlier one with the same idempotency key again.
   *
   * @throws {Fault} `app_queue_full`, `agent_queue_full`, `idempotency_conflict`
   */
  enqueue(message: NewMessage): Promise<Enqueued>;
  get(agentId: string, messageId: string): Promise<Message | undefined>;
  /** @throws {Fault} `bad_request` where `before` is no message of the agent */
  list(query: MessageQuery): Promise<MessagePage>;
  /** At once, from counters. */
  counts(agentId: string): QueueCounts;
  /** When the message that waits longest was made, in ms since the epoch; `null`: none waits. */
  oldestWaiting(agentId: string): number | null;
  /** Agents that have waiting messages. */
  waiting(): Promise<readonly string[]>;
  /** Every message that is worked on, or was when the last run ended. */
  held(): Promise<readonly HeldMessage[]>;
  /**
   * Takes waiting messages: the oldest of the origin whose turn it is, and so on, so that no origin
   * waits behind all messages of another.
   */
  take(request: Take): Promise<readonly HeldMessage[]>;
  /** @throws {Fault} `not_found`, `lease_lost`, `message_settled` */
  extend(lease: Lease, leaseMs: number): Promise<HeldMessage>;
  /** Notes the process that works on a message; nothing where the lease is lost. */
  recordProcess(lease: Lease, process: RecordedProcess): Promise<void>;
  /** @throws {Fault} `not_found`, `lease_lost`, `message_settled` */
  settle(lease: Lease, settlement: Settlement): Promise<Message>;
  /** @throws {Fault} `not_found`, `message_settled` */
  cancel(agentId: string, messageId: string): Promise<Message>;
  /**
   * Removes a few finished messages and idempotency keys that have outlived their time; gives how
   * many.
   */
  prune(limit: number): Promise<number>;
}
