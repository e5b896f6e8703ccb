/**
 * One measurement, and what several of them come to.
 *
 * @module
 */

/** What a load client saw in one run. */
export interface Sample {
  /** Answers, in all. */
  readonly requests: number;
  /** Bytes of the bodies of complete ones. */
  readonly bytes: number;
  /** Processor seconds that the server used. */
  readonly cpu: number | undefined;
  /** Complete answers with the right status, per second. */
  readonly requestsPerSecond: number;
  /** Bytes of their bodies, per second. */
  readonly bytesPerSecond: number;
  /** 99th percentile of the time to a complete answer, in ms; `undefined` if too few came. */
  readonly p99: number | undefined;
  /** Answers with another status, and connections that broke. */
  readonly failures: number;
}

/** A row of the result: the median of its samples. */
export interface Summary extends Omit<Sample, "bytes" | "cpu" | "requests"> {
  /** Processor time of the server for one answer, in µs: the least of all samples. */
  readonly cpuPerRequest: number | undefined;
  /** … and for 10⁹ bytes, in seconds. */
  readonly cpuPerGigabyte: number | undefined;
  /** (largest − smallest) / median of the bytes per second. */
  readonly spread: number;
}

/** The median of an odd or even number of values; of the two in the middle the lower. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** The value that so much of all values is not above. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round(part * (sorted.length - 1))] ?? Number.NaN;
}

/** Sums samples up by the median of each figure. */
export function summarize(samples: readonly Sample[]): Summary {
  // Bytes, since a slow server ends no large answer in a short run.
  const of304 = samples.every((it) => it.bytes === 0);
  const rates = samples.map((it) => of304 ? it.requestsPerSecond : it.bytesPerSecond);
  const p99s = samples.map((it) => it.p99).filter((it) => it !== undefined);
  const middle = median(rates);
  return {
    requestsPerSecond: median(samples.map((it) => it.requestsPerSecond)),
    bytesPerSecond: of304 ? 0 : middle,
    p99: p99s.length === 0 ? undefined : median(p99s),
    failures: samples.reduce((sum, it) => sum + it.failures, 0),
    cpuPerRequest: least(samples.map((it) => it.cpu && it.requests && it.cpu * 1e6 / it.requests)),
    cpuPerGigabyte: least(samples.map((it) => it.cpu && it.bytes && it.cpu * 1e9 / it.bytes)),
    spread: (Math.max(...rates) - Math.min(...rates)) / middle,
  };
}

/** What other work adds to a processor time only makes it larger. */
function least(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((it) => it !== undefined && it > 0) as number[];
  return known.length === 0 ? undefined : Math.min(...known);
}
