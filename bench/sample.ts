/**
 * One measurement, and what several of them come to.
 *
 * @module
 */

/** What a load client saw in one run. */
export interface Sample {
  /** Complete answers with status 200, per second. */
  readonly requestsPerSecond: number;
  /** Bytes of their bodies, per second. */
  readonly bytesPerSecond: number;
  /** 99th percentile of the time to a complete answer, in ms; `undefined` if too few came. */
  readonly p99: number | undefined;
  /** Answers with another status, and connections that broke. */
  readonly failures: number;
}

/** A row of the result: the median of its samples. */
export interface Summary extends Sample {
  /** (largest − smallest) / median of the bytes per second. */
  readonly spread: number;
}

/** The median of an odd or even number of values; of the two in the middle the lower. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** Sums samples up by the median of each figure. */
export function summarize(samples: readonly Sample[]): Summary {
  // Bytes, since a slow server ends no large answer in a short run.
  const rates = samples.map((it) => it.bytesPerSecond);
  const p99s = samples.map((it) => it.p99).filter((it) => it !== undefined);
  const middle = median(rates);
  return {
    requestsPerSecond: median(samples.map((it) => it.requestsPerSecond)),
    bytesPerSecond: middle,
    p99: p99s.length === 0 ? undefined : median(p99s),
    failures: samples.reduce((sum, it) => sum + it.failures, 0),
    spread: (Math.max(...rates) - Math.min(...rates)) / middle,
  };
}
