/**
 * Agents and their messages, as the rest of Holon uses them.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { Clock } from "../host/types.ts";
import { isSegment } from "../identifiers.ts";
import { type AgentDirectory, MAX_AGENTS } from "./agent_directory.ts";
import { isShallowJson, MAX_JSON_DEPTH } from "./canonical_json.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { createLeases, remainingLease } from "./leases.ts";
import { noOutput } from "./message_result.ts";
import type { MessageStore } from "./store.ts";
import type {
  AgentService,
  Enqueued,
  Lease,
  Message,
  MessageResult,
  MessageService,
  MessageStatus,
  NewMessage,
} from "./types.ts";

/** What the service works with. */
export interface AgentServiceOptions {
  readonly directory: AgentDirectory;
  readonly store: MessageStore;
  readonly clock: Clock;
  readonly dispatcher: Pick<Dispatcher, "cancel" | "wake">;
  /** Told of failures that have no caller. */
  readonly onError: (error: unknown) => void;
}

/** The service, and its life. */
export interface Agents extends AgentService, MessageService {
  /** When the message that waits longest was made, in ms since the epoch; `null`: none waits. */
  oldestWaiting(agentId: string): number | null;
  /** Takes up the leases that workers held when the last run ended. */
  start(): Promise<void>;
  /** Stops its timers. */
  close(): void;
}

/** The most characters of an app's own request id. */
const MAX_REQUEST_ID = 1024;

/** Timers are no longer than this, since a machine that sleeps stops them. */
const MAX_TIMER_MS = 30_000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
const PRUNE_STEP = 200;

/** Makes the service. */
export function createAgentService(options: AgentServiceOptions): Agents {
  const { directory, store, clock, dispatcher, onError } = options;
  const leases = createLeases(clock);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pruning: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  function hold(lease: Lease, ms: number): void {
    leases.hold(lease, ms);
    schedule();
  }

  function schedule(): void {
    clearTimeout(timer);
    const next = closed ? null : leases.untilNext();
    if (next === null) return;
    timer = setTimeout(() => void endLeases(), Math.min(next, MAX_TIMER_MS));
  }

  /** Gives messages back whose workers let their lease end. */
  async function endLeases(): Promise<void> {
    for (const lease of leases.due()) {
      leases.drop(lease.messageId);
      try {
        const error = "The worker's lease ended before it had settled the message";
        await store.settle(lease, { status: "retry", result: noOutput(error) });
        dispatcher.wake();
      } catch (error) {
        // Settled or cancelled meanwhile, else the storage is away: then again in a second.
        if (error instanceof Fault && error.status < 500) continue;
        onError(error);
        leases.hold(lease, 1000);
      }
    }
    schedule();
  }

  async function settled(lease: Lease, settle: () => Promise<Message>): Promise<Message> {
    await directory.require(lease.agentId);
    await endLeases();
    const message = await settle();
    leases.drop(lease.messageId);
    if (message.status === "queued") dispatcher.wake();
    return message;
  }

  async function prune(): Promise<void> {
    const removed = await store.prune(PRUNE_STEP).catch((error) => {
      onError(error);
      return 0;
    });
    if (closed) return;
    pruning = setTimeout(() => void prune(), removed === PRUNE_STEP ? 100 : PRUNE_EVERY_MS);
  }

  async function enqueue(message: NewMessage): Promise<Enqueued> {
    await directory.require(message.agentId);
    checkMessage(message);
    const enqueued = await store.enqueue(message);
    dispatcher.wake();
    return enqueued;
  }

  async function get(agentId: string, messageId: string): Promise<Message> {
    await directory.require(agentId);
    const message = await store.get(agentId, messageId);
    if (message === undefined) throw new Fault("not_found", "There is no message with this id");
    return message;
  }

  return {
    list: () => directory.list(),
    require: (agentId) => directory.require(agentId),

    async create(agentId) {
      const known = await directory.find(agentId);
      if (known !== undefined) return { agent: known, created: false };
      if ((await directory.list()).length >= MAX_AGENTS) {
        throw new Fault("bad_request", `There are ${MAX_AGENTS} agents already`, {
          hint: "Take away the folders of those that are no longer needed.",
        });
      }
      return { agent: await directory.create(agentId), created: true };
    },

    counts: (agentId) => store.counts(agentId),
    oldestWaiting: (agentId) => store.oldestWaiting(agentId),
    enqueue,
    get,

    async messages(query) {
      await directory.require(query.agentId);
      return await store.list(query);
    },

    async claim({ agentId, limit, leaseSeconds, worker }) {
      await directory.require(agentId);
      await endLeases();
      const leaseMs = leaseSeconds * 1000;
      const taken = await store.take({ agentId, holder: "worker", limit, leaseMs, worker });
      for (const { id, leaseId } of taken) hold({ agentId, messageId: id, leaseId }, leaseMs);
      return taken;
    },

    async extend(lease, leaseSeconds) {
      await directory.require(lease.agentId);
      await endLeases();
      const message = await store.extend(lease, leaseSeconds * 1000);
      hold(lease, leaseSeconds * 1000);
      return message;
    },

    acknowledge: (lease, output) =>
      settled(lease, () => store.settle(lease, { status: "succeeded", result: outputOf(output) })),

    fail: (lease, { error, output, retry }) =>
      settled(lease, () =>
        store.settle(lease, {
          status: retry ? "retry" : "failed",
          result: { ...outputOf(output), error: error ?? "The worker gave no reason" },
        })),

    async cancel(agentId, messageId) {
      await directory.require(agentId);
      const message = await store.cancel(agentId, messageId);
      leases.drop(messageId);
      dispatcher.cancel(messageId);
      return message;
    },

    async retry(agentId, messageId, idempotencyKey) {
      const { status, origin, requestType, requestId, payload } = await get(agentId, messageId);
      if (status !== "failed" && status !== "cancelled") throw notFailed(status);
      return await enqueue({
        agentId,
        origin,
        requestType,
        // Where the app gave none, its id was the message's own.
        requestId: requestId === messageId ? null : requestId,
        payload,
        idempotencyKey,
      });
    },

    async start() {
      for (const message of await store.held()) {
        if (message.holder !== "worker") continue;
        const { agentId, id: messageId, leaseId, leaseMs, leaseExpiresAt } = message;
        const expiresAt = Date.parse(leaseExpiresAt ?? "") || 0;
        const left = remainingLease(expiresAt, leaseMs ?? 0, clock.now());
        hold({ agentId, messageId, leaseId }, left);
      }
      await endLeases();
      await prune();
    },

    close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(pruning);
    },
  };
}

function notFailed(status: MessageStatus): Fault {
  return status === "succeeded"
    ? new Fault("message_not_failed", "This message has succeeded", {
      hint: "Send a new one to have it done again.",
    })
    : new Fault("message_not_failed", "This message is still under way", {
      hint: "Cancel it first, or wait until it has ended.",
    });
}

function checkMessage(message: NewMessage): void {
  const { requestType, requestId, payload } = message;
  if (requestType !== null && !isSegment(requestType)) {
    throw new Fault(
      "bad_request",
      'The request_type is not valid: use 1 to 128 letters, digits, "-", "_" and "."',
    );
  }
  if ((requestId?.length ?? 0) > MAX_REQUEST_ID) {
    throw new Fault("bad_request", `The request_id is longer than ${MAX_REQUEST_ID} characters`);
  }
  if (!isShallowJson(payload)) {
    throw new Fault("bad_request", `The payload is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
}

/** A worker's output is kept as JSON text where a runner's stdout is. */
function outputOf(output: unknown): MessageResult {
  if (output === null || output === undefined) return noOutput(null);
  if (!isShallowJson(output)) {
    throw new Fault("bad_request", `The output is nested deeper than ${MAX_JSON_DEPTH} levels`);
  }
  return { ...noOutput(null), stdout: JSON.stringify(output) };
}
