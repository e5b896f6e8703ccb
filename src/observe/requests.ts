/**
 * Follows requests to the end of their responses, for the log and the counters.
 *
 * @module
 */

import type { BodyOutcome, Clock } from "../host/types.ts";
import type { RequestTrail, ResponseObserver } from "../http/trail.ts";
import { isSegment } from "../identifiers.ts";
import { refusedPath } from "./refused_path.ts";
import type { RequestMetrics } from "./request_metrics.ts";
import type { RequestRecord } from "./types.ts";

/** What the observer works with. */
export interface RequestObserverOptions {
  readonly clock: Pick<Clock, "monotonic">;
  readonly metrics: RequestMetrics;
  /** Told of each request once its response has ended. */
  readonly onRequest: (record: RequestRecord) => void;
}

const METHODS: ReadonlySet<string> = new Set(
  ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"],
);

/** Stands for all methods that no route has, and for those that nobody made out. */
export const OTHER_METHOD = "other";

/** Makes the observer that the pipeline tells of each response. */
export function createRequestObserver(options: RequestObserverOptions): ResponseObserver {
  const { clock, metrics, onRequest } = options;

  function settle(
    trail: RequestTrail,
    method: string,
    status: number,
    bytes: number,
    outcome: BodyOutcome | null,
  ): void {
    const { route, code, params } = trail;
    const durationMs = clock.monotonic() - trail.startedMs;
    const isStream = route?.produces === "text/event-stream" && status === 200;
    metrics.count({ route, status, code, bytes, seconds: isStream ? null : durationMs / 1000 });
    onRequest({
      requestId: trail.requestId,
      client: trail.client,
      method: METHODS.has(method) ? method : OTHER_METHOD,
      route: route?.path ?? null,
      agent: segmentOf(params["agent"]),
      app: segmentOf(params["app"]),
      path: refusedPath(trail),
      status,
      code,
      bytes,
      durationMs,
      outcome,
    });
  }

  return (trail, request, response, info) => {
    const { method } = request;
    const { status } = response;
    if (info === null) {
      settle(trail, method, status, lengthOf(response), null);
      return;
    }
    metrics.inProgress++;
    info.ended.then((outcome) => {
      metrics.inProgress--;
      const refusal = info.refusal?.() ?? null;
      if (refusal !== null) trail.code = refusal.code;
      settle(trail, method, refusal?.status ?? status, info.bytesSent?.() ?? 0, outcome);
    });
  };
}

/** What a client gives for an id is kept only where it may be one. */
function segmentOf(value: string | undefined): string | null {
  return value !== undefined && isSegment(value) ? value : null;
}

function lengthOf(response: Response): number {
  return Number(response.headers.get("content-length") ?? "0") || 0;
}
