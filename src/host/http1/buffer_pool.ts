/**
 * Large buffers that are used again and again.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** Bytes of one pooled buffer: large enough to make a hop to a thread cheap. */
export const POOLED_BYTES: number = 256 * 1024;

/** Keeps a bounded number of free buffers. */
export class BufferPool {
  readonly #free: Buffer[] = [];
  readonly #limit: number;

  /** @param limit how many free buffers are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** A buffer of {@linkcode POOLED_BYTES} with whatever it held before. */
  take(): Buffer {
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(POOLED_BYTES);
  }

  /** Gives a buffer back that nothing reads or writes any more. */
  give(buffer: Buffer): void {
    if (this.#free.length < this.#limit) this.#free.push(buffer);
  }
}
