/**
 * `/api/agents`: agents, their apps, their messages, and what workers do with those.
 *
 * @module
 */

import type { z } from "zod";
import type { AppInspection } from "../apps/types.ts";
import { agentEventText, frames } from "../events/frames.ts";
import { lastEventIdOf } from "../events/last_event_id.ts";
import type { EventService } from "../events/types.ts";
import { agentEventData } from "../events/wire.ts";
import { Fault } from "../fault.ts";
import { jsonResponse } from "../http/json.ts";
import { readJson } from "../http/json_body.ts";
import type { RequestContext, Route } from "../http/route.ts";
import { eventStreamResponse } from "../http/sse.ts";
import { queryOf } from "../http/target.ts";
import { traceContextOf } from "../http/trace_context.ts";
import type { AgentService, Enqueued, Lease, MessageService } from "./types.ts";
import {
  agentsResponse,
  appsResponse,
  claimResponse,
  createdAgentResponse,
  enqueuedResponse,
  messageResponse,
  messagesResponse,
  stateResponse,
  wireAgent,
  wireApp,
  wireClaimed,
  wireEnqueued,
  wireMessage,
  wireQueue,
} from "./wire.ts";
import {
  ackSchema,
  claimSchema,
  createAgentSchema,
  extendSchema,
  failSchema,
  listQuerySchema,
  postMessageSchema,
} from "./wire_requests.ts";

/** What the routes work with. */
export interface AgentRoutesDeps {
  readonly agents: AgentService & MessageService;
  readonly events: Pick<EventService, "newest" | "subscribe">;
  /** The apps of an agent, broken ones included. */
  readonly listApps: (agentId: string) => Promise<readonly AppInspection[]>;
}

const AGENT = "/api/agents/:agent";
const MESSAGE = `${AGENT}/messages/:message`;

const STORAGE = ["storage_full", "storage_unavailable"] as const;
const SETTLING = ["lease_lost", "message_settled", ...STORAGE] as const;

/** Makes the routes. */
export function agentRoutes(deps: AgentRoutesDeps): Route[] {
  // `…/messages/claim` comes before `…/messages/:message`: the first path that matches wins.
  return [...readingRoutes(deps), ...workerRoutes(deps), ...messageRoutes(deps)];
}

function readingRoutes({ agents, events, listApps }: AgentRoutesDeps): Route[] {
  const state = async ({ params }: RequestContext) => {
    const agent = await agents.require(params["agent"] ?? "");
    // First, so that a stream which goes on from here misses nothing that changes meanwhile.
    const newest = events.newest(`agent:${agent.id}`);
    const apps = await listApps(agent.id);
    return jsonResponse({
      agent: wireAgent(agent),
      apps: apps.map(wireApp),
      queue: wireQueue(agents.counts(agent.id)),
      newest_event_id: newest,
    });
  };
  const common = { method: "GET", scope: "read" } as const;
  return [
    {
      ...common,
      path: "/api/agents",
      summary: "Lists the agents, with their runners and the counts of their messages.",
      response: agentsResponse,
      handler: async () => {
        const list = await agents.list();
        return jsonResponse({
          agents: list.map((agent) => ({
            ...wireAgent(agent),
            queue: wireQueue(agents.counts(agent.id)),
          })),
        });
      },
    },
    {
      method: "POST",
      scope: "control",
      path: "/api/agents",
      summary: "Makes an agent without a runner; one that is there is left as it is.",
      body: createAgentSchema,
      response: createdAgentResponse,
      handler: async ({ request }) => {
        const { id } = await readJson(request, createAgentSchema);
        const { agent, created } = await agents.create(id);
        return jsonResponse({ ok: true, agent: wireAgent(agent), created });
      },
    },
    {
      ...common,
      path: AGENT,
      summary: "Gives all that a client needs to start; the same as its /state.",
      response: stateResponse,
      handler: state,
    },
    {
      ...common,
      path: `${AGENT}/state`,
      summary: "Gives an agent, its apps, its queue and the number of its newest event.",
      response: stateResponse,
      handler: state,
    },
    {
      ...common,
      path: `${AGENT}/apps`,
      summary: "Lists an agent's apps; broken ones with what is wrong.",
      response: appsResponse,
      handler: async ({ params }) => {
        const agent = await agents.require(params["agent"] ?? "");
        const apps = await listApps(agent.id);
        return jsonResponse({ agent_id: agent.id, apps: apps.map(wireApp) });
      },
    },
    {
      ...common,
      path: `${AGENT}/events/stream`,
      summary: "Streams all events of an agent, after Last-Event-ID and then live.",
      produces: "text/event-stream",
      response: agentEventData,
      requestHeaders: ["Last-Event-ID"],
      responseHeaders: ["X-Holon-Newest-Event-Id"],
      refusals: ["too_many_streams"],
      handler: async ({ params, request }) => {
        const agent = await agents.require(params["agent"] ?? "");
        const after = lastEventIdOf(request.headers);
        const topic = `agent:${agent.id}` as const;
        return eventStreamResponse(
          (signal) => frames(events.subscribe({ topic, after, signal }), agentEventText),
          { headers: { "x-holon-newest-event-id": String(events.newest(topic)) } },
        );
      },
    },
  ];
}

function messageRoutes({ agents }: AgentRoutesDeps): Route[] {
  return [
    {
      method: "POST",
      path: `${AGENT}/messages`,
      scope: "control",
      summary: "Puts a message of the operator into an agent's queue.",
      body: postMessageSchema,
      response: enqueuedResponse,
      requestHeaders: ["Idempotency-Key", "traceparent", "tracestate"],
      responseHeaders: ["Idempotency-Replayed"],
      refusals: ["agent_queue_full", "idempotency_conflict", ...STORAGE],
      handler: async ({ params, request }) => {
        const body = await readJson(request, postMessageSchema);
        const agentId = params["agent"] ?? "";
        const enqueued = await agents.enqueue({
          agentId,
          origin: "operator",
          requestType: body.request_type ?? null,
          requestId: body.request_id || null,
          payload: body.text === undefined ? body.payload : { text: body.text },
          idempotencyKey: idempotencyKeyOf(request.headers),
          trace: traceContextOf(request.headers),
        });
        return enqueuedAnswer(agentId, enqueued);
      },
    },
    {
      method: "GET",
      path: `${AGENT}/messages`,
      scope: "read",
      summary: "Lists an agent's messages, newest first.",
      query: listQuerySchema,
      response: messagesResponse,
      handler: async (context) => {
        const { status, limit, before } = parseQuery(context, listQuerySchema);
        const agentId = context.params["agent"] ?? "";
        const { messages, next } = await agents.messages({
          agentId,
          status: status ?? null,
          limit,
          before: before ?? null,
        });
        return jsonResponse({
          agent_id: agentId,
          messages: messages.map(wireMessage),
          next_before: next,
        });
      },
    },
    {
      method: "GET",
      path: MESSAGE,
      scope: "read",
      summary: "Gives one message and what came of it.",
      response: messageResponse,
      handler: async ({ params }) => {
        const message = await agents.get(params["agent"] ?? "", params["message"] ?? "");
        return jsonResponse({ message: wireMessage(message) });
      },
    },
    {
      method: "POST",
      path: `${MESSAGE}/cancel`,
      scope: "control",
      summary: "Cancels a message that waits or is worked on.",
      response: messageResponse,
      refusals: ["message_settled", ...STORAGE],
      handler: async ({ params }) => {
        const message = await agents.cancel(params["agent"] ?? "", params["message"] ?? "");
        return jsonResponse({ message: wireMessage(message) });
      },
    },
    {
      method: "POST",
      path: `${MESSAGE}/retry`,
      scope: "control",
      summary: "Puts a message that failed or was cancelled into the queue again, as a new one.",
      response: enqueuedResponse,
      requestHeaders: ["Idempotency-Key"],
      responseHeaders: ["Idempotency-Replayed"],
      refusals: [
        "agent_queue_full",
        "app_queue_full",
        "idempotency_conflict",
        "message_not_failed",
        ...STORAGE,
      ],
      handler: async ({ params, request }) => {
        const agentId = params["agent"] ?? "";
        const key = idempotencyKeyOf(request.headers);
        return enqueuedAnswer(agentId, await agents.retry(agentId, params["message"] ?? "", key));
      },
    },
  ];
}

function workerRoutes({ agents }: AgentRoutesDeps): Route[] {
  const common = { method: "POST", scope: "control" } as const;
  return [
    {
      ...common,
      path: `${AGENT}/messages/claim`,
      summary: "Takes waiting messages for a worker, each with a lease.",
      body: claimSchema,
      response: claimResponse,
      refusals: STORAGE,
      handler: async ({ params, request }) => {
        const { lease_s, limit, worker } = await readJson(request, claimSchema);
        const messages = await agents.claim({
          agentId: params["agent"] ?? "",
          limit,
          leaseSeconds: lease_s,
          worker: worker ?? null,
        });
        return jsonResponse({ messages: messages.map(wireClaimed) });
      },
    },
    {
      ...common,
      path: `${MESSAGE}/extend`,
      summary: "Makes a lease last longer.",
      body: extendSchema,
      response: messageResponse,
      refusals: SETTLING,
      handler: async (context) => {
        const body = await readJson(context.request, extendSchema);
        const message = await agents.extend(leaseOf(context, body), body.lease_s);
        return jsonResponse({ message: wireMessage(message) });
      },
    },
    {
      ...common,
      path: `${MESSAGE}/ack`,
      summary: "Settles a message as succeeded.",
      body: ackSchema,
      response: messageResponse,
      refusals: SETTLING,
      handler: async (context) => {
        const body = await readJson(context.request, ackSchema);
        const message = await agents.acknowledge(leaseOf(context, body), body.output ?? null);
        return jsonResponse({ message: wireMessage(message) });
      },
    },
    {
      ...common,
      path: `${MESSAGE}/fail`,
      summary: "Settles a message as failed, or has it delivered again.",
      body: failSchema,
      response: messageResponse,
      refusals: SETTLING,
      handler: async (context) => {
        const body = await readJson(context.request, failSchema);
        const message = await agents.fail(leaseOf(context, body), {
          error: body.error ?? null,
          output: body.output ?? null,
          retry: body.retry,
        });
        return jsonResponse({ message: wireMessage(message) });
      },
    },
  ];
}

function leaseOf({ params }: RequestContext, body: { readonly lease_id: string }): Lease {
  return {
    agentId: params["agent"] ?? "",
    messageId: params["message"] ?? "",
    leaseId: body.lease_id,
  };
}

function enqueuedAnswer(agentId: string, enqueued: Enqueued): Response {
  const headers = enqueued.replayed ? { "idempotency-replayed": "true" } : {};
  return jsonResponse(wireEnqueued(agentId, enqueued), { headers });
}

function parseQuery<T>({ target }: RequestContext, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(Object.fromEntries(queryOf(target)));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Fault("bad_request", `The query is not valid at ${issue?.path.join(".") ?? "?"}`, {
    context: { detail: (issue?.message ?? "unknown").slice(0, 200) },
  });
}

function idempotencyKeyOf(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || /^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new Fault("bad_request", "The Idempotency-Key has to be 1 to 255 printable characters");
}
