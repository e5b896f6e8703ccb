/**
 * Waiting for a condition.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";

/** Resolves when the condition holds, asked every few ms; rejects after the time-out. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!await condition()) {
    if (performance.now() > deadline) throw new Error(`Time ran out: ${condition}`);
    await delay(10);
  }
}
