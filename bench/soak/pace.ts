/**
 * Work that goes on at a bounded rate until it is told to stop.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";

/** Acts again and again, each time after the last has ended, at most so often a second. */
export async function pace(
  stop: AbortSignal,
  perSecond: number,
  act: () => Promise<unknown>,
): Promise<void> {
  while (!stop.aborted) {
    const started = performance.now();
    await act();
    await pause(Math.max(0, 1000 / perSecond - (performance.now() - started)), stop);
  }
}

/** Waits, or until it is told to stop. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: stop }).catch(() => {});
}

/** Resolves to whether the condition came to be in time. */
export async function waitFor(
  condition: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    if (await condition()) return true;
    await delay(50);
  }
  return await condition();
}

/** A whole number from 0 below the limit. */
export function roll(limit: number): number {
  return Math.floor(Math.random() * limit);
}

/** One of the items. */
export function pick<T>(items: readonly T[]): T {
  return items[roll(items.length)]!;
}
