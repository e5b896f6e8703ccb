/**
 * Agents and their messages.
 *
 * @module
 */

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
   * Puts a message into the queue; it is on disk when this resolves.
   *
   * @throws {Fault} `app_queue_full`, `agent_queue_full`, `idempotency_conflict`, `not_found`
   */
  enqueue(message: NewMessage): Promise<Enqueued>;
  counts(agentId: string): QueueCounts;
}
