/**
 * Counts of answered requests, by route.
 *
 * @module
 */

import type { FaultCode } from "../fault.ts";
import type { Route } from "../http/route.ts";

/** Upper bounds of the histogram's buckets, in seconds. */
export const DURATION_BUCKETS: readonly number[] = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** What was counted for one route. */
export interface RouteCounts {
  /** `null`: no route matched. */
  readonly route: Route | null;
  readonly byStatus: ReadonlyMap<number, number>;
  readonly bytes: number;
  /** Requests by bucket, each counted once; the last is for all that took longer. */
  readonly buckets: readonly number[];
  readonly seconds: number;
}

/** An answered request, as far as it is counted. */
export interface CountedRequest {
  readonly route: Route | null;
  readonly status: number;
  readonly code: FaultCode | null;
  readonly bytes: number;
  /** `null` where the time says nothing, as with event streams. */
  readonly seconds: number | null;
}

/** Counters that only ever grow; routes, statuses and codes are few, so they are bounded. */
export interface RequestMetrics {
  count(request: CountedRequest): void;
  /** Responses that are being sent. */
  inProgress: number;
  readonly routes: Iterable<RouteCounts>;
  readonly refusals: ReadonlyMap<FaultCode, number>;
}

interface Series {
  readonly route: Route | null;
  readonly byStatus: Map<number, number>;
  readonly buckets: number[];
  bytes: number;
  seconds: number;
}

/** Makes counters that stand at zero. */
export function createRequestMetrics(): RequestMetrics {
  const series = new Map<Route | null, Series>();
  const refusals = new Map<FaultCode, number>();

  function seriesOf(route: Route | null): Series {
    let found = series.get(route);
    if (found === undefined) {
      const buckets = Array.from({ length: DURATION_BUCKETS.length + 1 }, () => 0);
      found = { route, byStatus: new Map(), buckets, bytes: 0, seconds: 0 };
      series.set(route, found);
    }
    return found;
  }

  return {
    inProgress: 0,
    count({ route, status, code, bytes, seconds }) {
      const counts = seriesOf(route);
      counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
      counts.bytes += bytes;
      if (code !== null) refusals.set(code, (refusals.get(code) ?? 0) + 1);
      if (seconds === null) return;
      counts.seconds += seconds;
      const bucket = bucketOf(seconds);
      counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1;
    },
    get routes() {
      return series.values();
    },
    refusals,
  };
}

function bucketOf(seconds: number): number {
  let bucket = 0;
  while (bucket < DURATION_BUCKETS.length && seconds > (DURATION_BUCKETS[bucket] ?? 0)) bucket++;
  return bucket;
}
