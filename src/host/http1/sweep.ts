/**
 * One coarse timer for all time-outs of a listener, instead of one for each of its connections.
 *
 * @module
 */

import { readSendQueues, sendQueueOf } from "../tcp_queues.ts";
import type { Clock, ListenerLimits } from "../types.ts";
import type { Connection } from "./connection.ts";

const COARSEST_MS = 1000;
const FINEST_MS = 5;

/** Looks at all connections now and then, while there are any. */
export class Sweep {
  readonly #connections: ReadonlySet<Connection>;
  readonly #clock: Clock;
  readonly #periodMs: number;
  readonly #sampleMs: number;
  #sampledAt = -Infinity;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(connections: ReadonlySet<Connection>, limits: ListenerLimits, clock: Clock) {
    this.#connections = connections;
    this.#clock = clock;
    const shortest = Math.min(
      limits.headersTimeoutMs,
      limits.bodyTimeoutMs,
      limits.sendTimeoutMs,
      limits.keepAliveTimeoutMs,
    );
    this.#periodMs = Math.min(COARSEST_MS, Math.max(FINEST_MS, shortest / 8));
    this.#sampleMs = limits.sendTimeoutMs / 12;
  }

  /** Starts to look, unless it does already. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#periodMs);
  }

  /** Stops looking. */
  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    const now = this.#clock.monotonic();
    if (now - this.#sampledAt >= this.#sampleMs) this.#sampleSlowOnes(now);
    this.#connections.forEach((connection) => connection.checkTime(now));
  }

  /** Asks the kernel about connections whose readers may have stopped; seldom are there any. */
  #sampleSlowOnes(now: number): void {
    const slow = [...this.#connections].filter(({ wire }) => wire.progress.wantsSample(now));
    if (slow.length === 0) return;
    this.#sampledAt = now;
    const queues = readSendQueues();
    if (queues === null) return;
    for (const { endpoints: { local, peer }, wire } of slow) {
      if (local === null || peer === null) continue;
      const queue = sendQueueOf(queues, local, peer);
      if (queue !== null) wire.progress.sample(queue);
    }
  }
}
