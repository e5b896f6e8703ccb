/**
 * How one server's rate stands beside another's.
 *
 * @module
 */

import type { Measured } from "./measure.ts";

/** The rate of a row that tells: bytes of large answers, requests of small ones. */
export function ratioTo({ summary }: Measured, reference: Measured): number {
  return summary.requestsPerSecond > 1000 || summary.bytesPerSecond === 0
    ? summary.requestsPerSecond / reference.summary.requestsPerSecond
    : summary.bytesPerSecond / reference.summary.bytesPerSecond;
}
