/**
 * Agents and their messages.
 *
 * @module
 */

import type { TraceContext } from "../http/trace_context.ts";

/** States of a message (`design.md` decision 12). */
export type MessageStatus = "cancelled" | "failed" | "processing" | "queued" | "succeeded";

/** Who made a message: the operator, an app of the agent, or a worker. */
export type MessageOrigin = `app:${string}` | "operator" | "worker";

/** A message to an agent, as stored. */
export interface Message {
  /** UUIDv7 with the prefix `msg_`. */
  readonly id: string;
  readonly agentId: string;
  readonly origin: MessageOrigin;
  readonly status: MessageStatus;
  /** The app's request type, e.g. `ping`; `null` for operator input. */
  readonly requestType: string | null;
  /** The app's own id for the request (or ours, where it gave none). */
  readonly requestId: string | null;
  /** Any JSON value. */
  readonly payload: unknown;
  /** Deliveries so far. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** RFC 3339 UTC times. */
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  /** End of the lease, while processing by a worker. */
  readonly leaseExpiresAt: string | null;
  readonly result: MessageResult | null;
  /** The trace of whoever sent it; `null` where none was named. */
  readonly trace: TraceContext | null;
}

/** What came of a message. */
export interface MessageResult {
  /** A runner's exit code; `null` for workers and signals. */
  readonly exitCode: number | null;
  /** A sentence, where it failed. */
  readonly error: string | null;
  /** Bounded output of the runner; a worker's output as JSON text. */
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
}

/** A message to put into the queue. */
export interface NewMessage {
  readonly agentId: string;
  readonly origin: MessageOrigin;
  readonly requestType: string | null;
  readonly requestId: string | null;
  readonly payload: unknown;
  /** Replays the first answer for 24 h, per agent and origin. */
  readonly idempotencyKey: string | null;
  readonly trace?: TraceContext | null;
}

/** The answer to an enqueue. */
export interface Enqueued {
  readonly messageId: string;
  readonly requestId: string;
  /** Whether an earlier request with the same key was answered again. */
  readonly replayed: boolean;
}

/** Counts of an agent's messages by status. */
export type QueueCounts = Readonly<Record<MessageStatus, number>>;

/** An agent: a directory `<home>/agents/<id>/`. */
export interface Agent {
  readonly id: string;
  /** How its messages are carried out; `null`: they wait for a worker. */
  readonly runner: RunnerConfig | null;
  /** What is wrong with its `agent.json`, as a sentence; `null` when nothing is. */
  readonly problem: string | null;
}

/** An agent, and whether it is new. */
export interface CreatedAgent {
  readonly agent: Agent;
  readonly created: boolean;
}

/** The `runner` object of `agent.json`. */
export interface RunnerConfig {
  readonly command: readonly [string, ...string[]];
  readonly timeoutSeconds: number;
  readonly concurrency: number;
}

/** The service that other capabilities use. */
export interface AgentService {
  /** Sound agents by id, ascending. */
  list(): Promise<readonly Agent[]>;
  /** @throws {Fault} `bad_request`, `forbidden` or `not_found` */
  require(agentId: string): Promise<Agent>;
  /**
   * Makes an agent without a runner and without apps; one that is there is left as it is.
   *
   * @throws {Fault} `bad_request`, `forbidden`
   */
  create(agentId: string): Promise<CreatedAgent>;
  /**
   * Puts a message into the queue; it is on disk when this resolves.
   *
   * @throws {Fault} `app_queue_full`, `agent_queue_full`, `idempotency_conflict`, `not_found`
   */
  enqueue(message: NewMessage): Promise<Enqueued>;
  counts(agentId: string): QueueCounts;
}

/** Which messages to list, newest first. */
export interface MessageQuery {
  readonly agentId: string;
  /** Only messages of this status. */
  readonly status: MessageStatus | null;
  readonly limit: number;
  /** Only messages that are older than this one; the last id of the page before. */
  readonly before: string | null;
}

/** Messages of one page. */
export interface MessagePage {
  readonly messages: readonly Message[];
  /** The `before` of the next page; `null` when this is the last. */
  readonly next: string | null;
}

/** A claim by a worker. */
export interface ClaimRequest {
  readonly agentId: string;
  /** The most messages to give. */
  readonly limit: number;
  readonly leaseSeconds: number;
  /** The worker's name for itself, for whoever looks at the queue. */
  readonly worker: string | null;
}

/** A message in the hands of whoever holds its lease. */
export interface ClaimedMessage extends Message {
  readonly leaseId: string;
}

/** The right to settle a message. */
export interface Lease {
  readonly agentId: string;
  readonly messageId: string;
  readonly leaseId: string;
}

/** What a worker says when it gives up. */
export interface Failure {
  readonly error: string | null;
  readonly output: unknown;
  /** Whether to deliver the message again while it has attempts left. */
  readonly retry: boolean;
}

/**
 * Messages and what workers do with them. Every method throws `not_found` for an agent or a message
 * that isn't there.
 */
export interface MessageService {
  get(agentId: string, messageId: string): Promise<Message>;
  /** A page may have fewer messages than asked for, so that it stays small; it is never empty. */
  messages(query: MessageQuery): Promise<MessagePage>;
  /** Takes waiting messages, fairly among their origins; none when none waits. */
  claim(request: ClaimRequest): Promise<readonly ClaimedMessage[]>;
  /**
   * Makes a lease last that long from now.
   *
   * @throws {Fault} `lease_lost`, `message_settled`
   */
  extend(lease: Lease, leaseSeconds: number): Promise<Message>;
  /**
   * Settles a message as succeeded; again with the same lease gives the same answer.
   *
   * @param output any JSON value
   * @throws {Fault} `lease_lost`, `message_settled`
   */
  acknowledge(lease: Lease, output: unknown): Promise<Message>;
  /** @throws {Fault} `lease_lost`, `message_settled` */
  fail(lease: Lease, failure: Failure): Promise<Message>;
  /**
   * Cancels a message, whether it waits or is worked on; again gives the same answer.
   *
   * @throws {Fault} `message_settled`
   */
  cancel(agentId: string, messageId: string): Promise<Message>;
  /**
   * Puts what failed or was cancelled into the queue once more, as a new message of the same
   * origin: what an app asked for stays data, whoever asks for it again.
   *
   * @throws {Fault} `message_not_failed`, and as {@linkcode AgentService.enqueue}
   */
  retry(agentId: string, messageId: string, idempotencyKey: string | null): Promise<Enqueued>;
}
