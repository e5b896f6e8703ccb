/**
 * What the browser SDK calls: `context`, `request`, `events`, and the SDK itself.
 *
 * @module
 */

import type { AgentService } from "../agents/types.ts";
import type { EventService } from "../events/types.ts";
import { jsonResponse } from "../http/json.ts";
import { readJson } from "../http/json_body.ts";
import type { Route } from "../http/route.ts";
import { traceContextOf } from "../http/trace_context.ts";
import { appEventStream } from "./app_events.ts";
import { appHandler } from "./app_handler.ts";
import { appRequestSchema, checkAppRequest, idempotencyKeyOf, SDK_VERSION } from "./app_request.ts";
import { APP_REFUSALS, ENQUEUE_REFUSALS } from "./refusals.ts";
import { isLive } from "./reload/reload_policy.ts";
import {
  RELOAD_HEADER,
  type ReloadOptions,
  reloadStream,
  ridingOf,
  wantsReloadOnly,
} from "./reload/reload_stream.ts";
import { serveScript } from "./sdk_script.ts";
import type { App, AppService } from "./types.ts";
import { appEventData, contextAnswer, requestAnswer } from "./wire.ts";

/** What the routes need. */
export interface SdkRouteOptions extends ReloadOptions {
  readonly apps: AppService;
  readonly agents: Pick<AgentService, "enqueue">;
  readonly events: Pick<EventService, "newest" | "subscribe">;
  /** The classic script `holon.js`. */
  readonly sdkScript: string;
  /** The same with live reload. */
  readonly liveSdkScript: string;
}

/** Names directly below an app's root that belong to the SDK; a file of that name is not served. */
export const SDK_NAMES: ReadonlySet<string> = new Set(["context", "events", "holon.js", "request"]);

/** Makes the SDK's routes; each of them validates the app first. */
export function sdkRoutes(options: SdkRouteOptions): readonly Route[] {
  const script = serveScript(options.sdkScript);
  const liveScript = serveScript(options.liveSdkScript);
  const path = "/apps/:agent/:app";
  return [
    {
      method: "GET",
      path: `${path}/context`,
      scope: "read",
      summary: "Says which agent and app the page belongs to.",
      response: contextAnswer,
      refusals: APP_REFUSALS,
      handler: appHandler(options.apps, async (_context, findApp) => {
        return contextResponse(await findApp());
      }),
    },
    {
      method: "POST",
      path: `${path}/request`,
      scope: "app",
      summary: "Puts a request of the app into its agent's queue.",
      body: appRequestSchema,
      response: requestAnswer,
      requestHeaders: ["Idempotency-Key", "traceparent", "tracestate"],
      responseHeaders: ["Idempotency-Replayed"],
      refusals: [...APP_REFUSALS, ...ENQUEUE_REFUSALS],
      handler: appHandler(options.apps, async (context, findApp) => {
        const body = await readJson(context.request, appRequestSchema);
        const app = await findApp();
        checkAppRequest(body);
        const { headers } = context.request;
        const idempotencyKey = idempotencyKeyOf(headers);
        const { messageId, requestId, replayed } = await options.agents.enqueue({
          agentId: app.agentId,
          origin: `app:${app.manifest.id}`,
          requestType: body.request_type,
          requestId: body.request_id || null,
          payload: body.payload,
          idempotencyKey,
          trace: traceContextOf(headers),
        });
        return jsonResponse({
          ok: true,
          version: SDK_VERSION,
          request_id: requestId,
          agent_id: app.agentId,
          app_id: app.manifest.id,
          status: "accepted",
          message_id: messageId,
        }, { headers: replayed ? { "idempotency-replayed": "true" } : {} });
      }),
    },
    {
      method: "GET",
      path: `${path}/events`,
      scope: "app",
      summary: "Streams what becomes of the app's requests, as server-sent events.",
      produces: "text/event-stream",
      response: appEventData,
      requestHeaders: ["Last-Event-ID", RELOAD_HEADER],
      responseHeaders: ["X-Holon-Newest-Event-Id", "X-Holon-App-Sdk-Version"],
      refusals: [...APP_REFUSALS, "too_many_streams"],
      handler: appHandler(options.apps, async (context, findApp) => {
        const { agentId, manifest } = await findApp();
        const app = { agentId, appId: manifest.id };
        if (wantsReloadOnly(context)) return reloadStream([app], context, options);
        const ride = ridingOf(app, context, options);
        return appEventStream(options.events, agentId, manifest.id, context.request, ride);
      }),
    },
    {
      method: "GET",
      path: `${path}/holon.js`,
      scope: "read",
      summary: "The browser SDK as a classic script that defines window.Holon.",
      produces: "text/javascript; charset=utf-8",
      statuses: { 200: "The script.", 304: "The client's copy is the current one." },
      requestHeaders: ["If-None-Match"],
      responseHeaders: ["ETag", "X-Holon-App-Sdk-Version"],
      refusals: APP_REFUSALS,
      handler: appHandler(options.apps, async (context, findApp) => {
        await findApp();
        const serve = isLive(options.liveReloadMode(), context) ? liveScript : script;
        return await serve(context.request);
      }),
    },
  ];
}

function contextResponse({ agentId, manifest }: App): Response {
  return jsonResponse({
    sdk_version: SDK_VERSION,
    agent_id: agentId,
    app_id: manifest.id,
    session: { authenticated: true },
  });
}
