/**
 * Large buffers that are used again and again.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** Bytes of a usual buffer: large enough to make a hop to a thread cheap. */
export const POOLED_BYTES: number = 256 * 1024;
/** Bytes of one for a reader that has the server to itself, or nearly so. */
export const LARGE_BYTES: number = 1024 * 1024;
/** So many large ones are in use or free, for two transfers: they must not add up. */
const MAX_LARGE = 4;

/** Keeps a bounded number of free buffers. */
export class BufferPool {
  readonly #free: Buffer[] = [];
  readonly #freeLarge: Buffer[] = [];
  readonly #limit: number;
  #largeTaken = 0;
  #taken = 0;

  /** @param limit how many free buffers of the usual size are kept */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether so few transfers are under way that each is faster in large pieces. */
  get quiet(): boolean {
    return this.#taken <= MAX_LARGE;
  }

  /** A buffer of {@linkcode POOLED_BYTES} with whatever it held before. */
  take(): Buffer {
    this.#taken++;
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(POOLED_BYTES);
  }

  /** One of {@linkcode LARGE_BYTES}, as long as few are taken; else a usual one. */
  takeLarge(): Buffer {
    if (this.#largeTaken >= MAX_LARGE) return this.take();
    this.#taken++;
    this.#largeTaken++;
    return this.#freeLarge.pop() ?? Buffer.allocUnsafeSlow(LARGE_BYTES);
  }

  /**
   * Takes a buffer back.
   *
   * @param clean whether nothing reads or writes it any more; else it is left to the collector
   */
  give(buffer: Buffer, clean = true): void {
    this.#taken--;
    if (buffer.length === LARGE_BYTES) {
      this.#largeTaken--;
      if (clean) this.#freeLarge.push(buffer);
    } else if (clean && this.#free.length < this.#limit) {
      this.#free.push(buffer);
    }
  }
}
