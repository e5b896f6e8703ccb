/**
 * `/api/metrics`: figures for Prometheus and whatever reads its format.
 *
 * @module
 */

import { API_HEADERS } from "../http/json.ts";
import type { Route } from "../http/route.ts";
import { exposition, EXPOSITION_TYPE } from "./exposition.ts";
import { metricFamilies, type MetricsSources } from "./families.ts";

/** Makes the routes. */
export function metricsRoutes(sources: MetricsSources): readonly Route[] {
  return [{
    method: "GET",
    path: "/api/metrics",
    scope: "read",
    summary: "Gives figures of the server in Prometheus' text format.",
    produces: EXPOSITION_TYPE,
    handler: async () => {
      const bytes = new TextEncoder().encode(exposition(await metricFamilies(sources)));
      return new Response(bytes, {
        headers: {
          ...API_HEADERS,
          "content-type": EXPOSITION_TYPE,
          "content-length": String(bytes.byteLength),
        },
      });
    },
  }];
}
