/**
 * Buffers that are used again and again: fresh memory costs more than what is done with it.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** Bytes of a usual piece of a file: large enough to make a hop to a thread cheap. */
export const PIECE_BYTES: number = 256 * 1024;
/** Bytes of a piece for a reader that keeps up. */
export const LARGE_PIECE_BYTES: number = 1024 * 1024;

/** Buffers of one size. */
interface Shelf {
  readonly size: number;
  /** So many free ones are kept. */
  readonly keep: number;
  readonly free: Buffer[];
  taken: number;
}

/** For small answers with their heads, and for pieces of files; 22 MiB are kept at most. */
const SIZES: readonly (readonly [size: number, keep: number])[] = [
  [8 * 1024, 64],
  [72 * 1024, 16],
  [PIECE_BYTES, 32],
  [LARGE_PIECE_BYTES, 12],
];
/** So many of the largest may be in use: readers that stop hold what was to be sent to them. */
const MOST_LARGE = 16;

/** Keeps a bounded number of free buffers. */
export class BufferPool {
  readonly #shelves: readonly Shelf[] = SIZES.map(([size, keep]) => ({
    size,
    keep,
    free: [],
    taken: 0,
  }));

  /** How many pieces of files are in use. */
  get pieces(): number {
    let pieces = 0;
    for (const { size, taken } of this.#shelves) if (size >= PIECE_BYTES) pieces += taken;
    return pieces;
  }

  /**
   * A buffer with whatever it held before: as large as is wanted or larger, up to a large piece; a
   * usual piece where too many large ones are in use.
   */
  take(wanted: number): Buffer {
    const most = this.#largeTaken < MOST_LARGE ? LARGE_PIECE_BYTES : PIECE_BYTES;
    const least = Math.min(wanted, most);
    for (const shelf of this.#shelves) {
      if (shelf.size < least) continue;
      shelf.taken++;
      return shelf.free.pop() ?? Buffer.allocUnsafeSlow(shelf.size);
    }
    throw new Error("No buffer is that large");
  }

  /**
   * Takes a buffer back.
   *
   * @param clean whether nothing reads or writes it any more; else it is left to the collector
   */
  give(buffer: Buffer, clean = true): void {
    for (const shelf of this.#shelves) {
      if (shelf.size !== buffer.length) continue;
      shelf.taken--;
      if (clean && shelf.free.length < shelf.keep) shelf.free.push(buffer);
    }
  }

  get #largeTaken(): number {
    return this.#shelves.at(-1)!.taken;
  }
}

/** The pool of the process. */
export const buffers: BufferPool = new BufferPool();
