/**
 * Agents and messages as they are answered: snake_case names, and a schema for each answer.
 *
 * @module
 */

import { z } from "zod";
import type { AppInspection } from "../apps/types.ts";
import { provenanceOf } from "./runner_message.ts";
import type { Agent, ClaimedMessage, Enqueued, Message, QueueCounts } from "./types.ts";

/** A JSON object. */
type Wire = Readonly<Record<string, unknown>>;

/** The counts by status, in the order of a message's life. */
export function wireQueue(counts: QueueCounts): QueueCounts {
  const { queued, processing, succeeded, failed, cancelled } = counts;
  return { queued, processing, succeeded, failed, cancelled };
}

/** An agent and its runner. */
export function wireAgent(agent: Agent): Wire {
  const { id, runner, problem } = agent;
  return {
    id,
    runner: runner === null ? null : {
      command: [...runner.command],
      timeout_s: runner.timeoutSeconds,
      concurrency: runner.concurrency,
    },
    problem,
  };
}

/** An app, sound or broken. */
export function wireApp({ id, app, problem }: AppInspection): Wire {
  return {
    id,
    name: app?.name ?? null,
    version: app?.version ?? null,
    entry: app?.entry ?? null,
    description: app?.description ?? null,
    url: app?.url ?? null,
    problem,
  };
}

/** The answer to operator input. */
export function wireEnqueued(agentId: string, enqueued: Enqueued): Wire {
  return {
    ok: true,
    agent_id: agentId,
    message_id: enqueued.messageId,
    request_id: enqueued.requestId,
    status: "accepted",
    replayed: enqueued.replayed,
  };
}

/** A message with what came of it. */
export function wireMessage(message: Message): Wire {
  const { result } = message;
  return {
    id: message.id,
    agent_id: message.agentId,
    origin: message.origin,
    provenance: provenanceOf(message.origin),
    status: message.status,
    request_type: message.requestType,
    request_id: message.requestId,
    payload: message.payload,
    attempts: message.attempts,
    max_attempts: message.maxAttempts,
    created_at: message.createdAt,
    started_at: message.startedAt,
    finished_at: message.finishedAt,
    lease_expires_at: message.leaseExpiresAt,
    traceparent: message.trace?.traceparent ?? null,
    tracestate: message.trace?.tracestate ?? null,
    result: result === null ? null : {
      exit_code: result.exitCode,
      error: result.error,
      stdout: result.stdout,
      stderr: result.stderr,
      truncated: result.truncated,
    },
  };
}

/** A message that was claimed. */
export function wireClaimed(message: ClaimedMessage): Wire {
  return { ...wireMessage(message), lease_id: message.leaseId };
}

// --- schemas ---

const time = z.iso.datetime();
const queueSchema = z.object({
  queued: z.int(),
  processing: z.int(),
  succeeded: z.int(),
  failed: z.int(),
  cancelled: z.int(),
}).meta({ id: "QueueCounts" });
const agentFields = {
  id: z.string(),
  runner: z.object({
    command: z.array(z.string()),
    timeout_s: z.number(),
    concurrency: z.int(),
  }).nullable(),
  problem: z.string().nullable(),
};
const agentSchema = z.object(agentFields).meta({ id: "Agent" });
const appSchema = z.object({
  id: z.string(),
  name: z.string().nullable(),
  version: z.string().nullable(),
  entry: z.string().nullable(),
  description: z.string().nullable(),
  url: z.string().nullable(),
  problem: z.string().nullable(),
}).meta({ id: "App" });
const messageFields = {
  id: z.string(),
  agent_id: z.string(),
  origin: z.string(),
  provenance: z.object({
    kind: z.enum(["app", "operator", "worker"]),
    app_id: z.string().nullable(),
    authority: z.enum(["data", "operator"]),
  }),
  status: z.enum(["cancelled", "failed", "processing", "queued", "succeeded"]),
  request_type: z.string().nullable(),
  request_id: z.string().nullable(),
  payload: z.unknown().describe("Any JSON value."),
  attempts: z.int(),
  max_attempts: z.int(),
  created_at: time,
  started_at: time.nullable(),
  finished_at: time.nullable(),
  lease_expires_at: time.nullable(),
  traceparent: z.string().nullable(),
  tracestate: z.string().nullable(),
  result: z.object({
    exit_code: z.int().nullable(),
    error: z.string().nullable(),
    stdout: z.string(),
    stderr: z.string(),
    truncated: z.boolean(),
  }).nullable(),
};

const message = z.object(messageFields).meta({ id: "Message" });

/** Answer of `GET /api/agents`. */
export const agentsResponse: z.ZodType = z.object({
  agents: z.array(
    z.object({ ...agentFields, queue: queueSchema }).meta({ id: "AgentWithQueue" }),
  ),
});
/** Answer of `POST /api/agents`. */
export const createdAgentResponse: z.ZodType = z.object({
  ok: z.literal(true),
  agent: agentSchema,
  created: z.boolean().describe("Whether it is new."),
});
/** Answer of `GET /api/agents/{agent}/state`. */
export const stateResponse: z.ZodType = z.object({
  agent: agentSchema,
  apps: z.array(appSchema),
  queue: queueSchema,
  newest_event_id: z.int(),
});
/** Answer of `GET /api/agents/{agent}/apps`. */
export const appsResponse: z.ZodType = z.object({
  agent_id: z.string(),
  apps: z.array(appSchema),
});
/** Answer of `POST …/messages`. */
export const enqueuedResponse: z.ZodType = z.object({
  ok: z.literal(true),
  agent_id: z.string(),
  message_id: z.string(),
  request_id: z.string(),
  status: z.literal("accepted"),
  replayed: z.boolean(),
});
/** Answer of everything that answers with one message. */
export const messageResponse: z.ZodType = z.object({ message });
/** Answer of `GET …/messages`. */
export const messagesResponse: z.ZodType = z.object({
  agent_id: z.string(),
  messages: z.array(message),
  next_before: z.string().nullable(),
});
/** Answer of `POST …/messages/claim`. */
export const claimResponse: z.ZodType = z.object({
  messages: z.array(
    z.object({ ...messageFields, lease_id: z.string() }).meta({ id: "ClaimedMessage" }),
  ),
});
