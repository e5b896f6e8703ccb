/**
 * Keeps the beginning of what a process writes.
 *
 * @module
 */

import { Buffer } from "node:buffer";

/** The first bytes of an output; the rest is counted as cut off. */
export class OutputCapture {
  #kept: Uint8Array[] = [];
  #room: number;
  #truncated = false;

  /** @param limit bytes that are kept */
  constructor(limit: number) {
    this.#room = limit;
  }

  /** Whether more was written than is kept. */
  get truncated(): boolean {
    return this.#truncated;
  }

  /** Takes the next piece. */
  add(chunk: Uint8Array): void {
    const kept = chunk.subarray(0, this.#room);
    if (kept.length < chunk.length) this.#truncated = true;
    if (kept.length === 0) return;
    this.#room -= kept.length;
    this.#kept.push(kept);
  }

  /** What is kept, as UTF-8 with replacement characters for what is not. */
  text(): string {
    return Buffer.concat(this.#kept).toString("utf8");
  }
}
