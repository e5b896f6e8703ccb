/**
 * Counts and logs the requests that a listener refuses before a handler sees them, such as one with
 * a head that is too large.
 *
 * @module
 */

import type { RefusedRequest } from "../host/types.ts";
import type { RequestMetrics } from "./request_metrics.ts";
import { OTHER_METHOD } from "./requests.ts";
import type { RequestRecord } from "./types.ts";

/** What it takes to tell of them. */
export interface RefusedRequestOptions {
  readonly metrics: RequestMetrics;
  readonly onRequest: (record: RequestRecord) => void;
  /** Makes the id that the line has; the client is told none. */
  readonly requestId: () => string;
}

/** Makes the function that a listener tells. When the request came in is not known, so no time is. */
export function createRefusalObserver(
  { metrics, onRequest, requestId }: RefusedRequestOptions,
): (refused: RefusedRequest) => void {
  return ({ code, status, peer, bytes, outcome }) => {
    metrics.count({ route: null, status, code, bytes, seconds: null });
    onRequest({
      requestId: requestId(),
      client: peer?.address ?? null,
      method: OTHER_METHOD,
      route: null,
      agent: null,
      app: null,
      path: null,
      status,
      code,
      bytes,
      durationMs: 0,
      outcome,
    });
  };
}
