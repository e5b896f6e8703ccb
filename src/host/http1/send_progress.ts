/**
 * Tells a slow reader from one that has stopped reading.
 *
 * What a server can see of a reader is that the kernel takes more bytes. It takes them in steps: a
 * socket is writable again once about a third of its send buffer, which may hold 4 MiB, is free.
 * A reader that takes 32 KiB a second is invisible for most of a minute, and one at the least
 * speed for an hour. So where the host can tell how many bytes the kernel still holds for a
 * connection, the change of that number counts as progress too; where it can't, twice the time is
 * allowed.
 *
 * @module
 */

import type { Clock, ListenerLimits } from "../types.ts";

/** A write that took longer than this says that the reader is slow. */
const SLOW_WRITE_MS = 1000;

/** The progress of one connection's writes. */
export class SendProgress {
  /** Off for event streams, whose readers may be silent for ever. */
  timed = true;
  /** Whether the last write took long, so that smaller ones show progress better. */
  slow = false;
  readonly #clock: Clock;
  readonly #limits: Pick<ListenerLimits, "sendMinimumBytes" | "sendTimeoutMs">;
  readonly #buffered: boolean;
  #pending = 0;
  #windowStart = 0;
  #windowBytes = 0;
  #lastQueue: number | null = null;

  /** @param buffered whether the kernel may hold back megabytes, as it does for TCP */
  constructor(
    clock: Clock,
    limits: Pick<ListenerLimits, "sendMinimumBytes" | "sendTimeoutMs">,
    buffered: boolean,
  ) {
    this.#clock = clock;
    this.#limits = limits;
    this.#buffered = buffered;
  }

  /** A write was handed to the kernel. */
  began(): void {
    if (this.#pending++ === 0) this.#restart(this.#clock.monotonic());
  }

  /** The kernel has taken a write of so many bytes. */
  taken(bytes: number): void {
    this.#pending--;
    const now = this.#clock.monotonic();
    this.slow = now - this.#windowStart > SLOW_WRITE_MS;
    this.#windowBytes += bytes;
    if (this.#windowBytes >= this.#limits.sendMinimumBytes) this.#restart(now);
  }

  /** Whether a look at the kernel's queue would help to judge this reader. */
  wantsSample(now: number): boolean {
    return this.#buffered && this.timed && this.#pending > 0 &&
      now - this.#windowStart >= this.#limits.sendTimeoutMs / 4;
  }

  /** Notes how many bytes the kernel holds that the reader has not taken. */
  sample(queue: number): void {
    // A larger queue is progress as well: the kernel takes more only after room was made.
    if (this.#lastQueue !== null) this.#windowBytes += Math.abs(queue - this.#lastQueue);
    this.#lastQueue = queue;
  }

  /** Whether the reader took less than the minimum within the time-out. */
  overdue(now: number): boolean {
    if (!this.timed || this.#pending === 0) return false;
    const blind = this.#buffered && this.#lastQueue === null;
    const allowed = this.#limits.sendTimeoutMs * (blind ? 2 : 1);
    if (now - this.#windowStart < allowed) return false;
    if (this.#windowBytes < this.#limits.sendMinimumBytes) return true;
    const queue = this.#lastQueue;
    this.#restart(now);
    this.#lastQueue = queue;
    return false;
  }

  #restart(now: number): void {
    this.#windowStart = now;
    this.#windowBytes = 0;
    this.#lastQueue = null;
  }
}
