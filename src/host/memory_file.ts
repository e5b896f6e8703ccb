/**
 * A small range of a file in memory, with room before it for the head of the answer that sends it.
 *
 * @module
 */

import type { Buffer } from "node:buffer";
import { buffers } from "./buffer_pool.ts";
import type { FileStat, OpenedFile } from "./types.ts";

/** Longer than any head of ours; what is longer goes out by itself. */
const HEAD_ROOM = 2048;

/**
 * A range that was read into memory: as a file, it can't change any more. Its buffer goes back to
 * the pool when it is closed, or once what {@linkcode MemoryFile.frame} gave is sent.
 */
export class MemoryFile implements OpenedFile {
  readonly stat: FileStat;
  readonly #start: number;
  readonly #end: number;
  /** Room for a head, and the range. */
  #buffer: Buffer | null;

  /** Makes room for `[start, end)`, which is then read into {@linkcode bytes}. */
  constructor(stat: FileStat, start: number, end: number) {
    this.stat = stat;
    this.#start = start;
    this.#end = end;
    this.#buffer = buffers.take(HEAD_ROOM + end - start);
  }

  /** The range; only before it was sent or closed. */
  get bytes(): Buffer {
    if (this.#buffer === null) throw new Error("This range was sent or closed already");
    return this.#buffer.subarray(HEAD_ROOM, HEAD_ROOM + this.#end - this.#start);
  }

  /** The same range for another answer; `null` for another range, and once it was sent or closed. */
  copy(start: number, end: number): MemoryFile | null {
    if (this.#buffer === null || start !== this.#start || end !== this.#end) return null;
    const copy = new MemoryFile(this.stat, start, end);
    copy.bytes.set(this.bytes);
    return copy;
  }

  /**
   * The head and the range as one piece, without a copy of the range; `null` where the head is too
   * long. The buffer that they are in goes back to the pool by the function beside them, once they
   * are sent.
   */
  frame(head: string): { readonly piece: Buffer; readonly giveBack: () => void } | null {
    const buffer = this.#buffer;
    if (buffer === null || head.length > HEAD_ROOM) return null;
    this.#buffer = null;
    const from = HEAD_ROOM - head.length;
    buffer.write(head, from, "latin1");
    return {
      piece: buffer.subarray(from, HEAD_ROOM + this.#end - this.#start),
      giveBack: () => buffers.give(buffer),
    };
  }

  readSync(view: Uint8Array, position: number): number {
    const from = position - this.#start;
    const piece = this.bytes.subarray(from, from + view.byteLength);
    view.set(piece);
    return piece.byteLength;
  }

  read(view: Uint8Array, position: number): Promise<number> {
    return Promise.resolve(this.readSync(view, position));
  }

  statNow(): FileStat {
    return this.stat;
  }

  refresh(): void {}

  close(): void {
    if (this.#buffer !== null) buffers.give(this.#buffer);
    this.#buffer = null;
  }
}
