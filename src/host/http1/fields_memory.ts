/**
 * Field lines that were parsed lately: browsers and programs send the same ones with each request.
 *
 * @module
 */

import type { RequestFields } from "./request_fields.ts";

const MAX_BLOCKS = 64;
/** Longer ones aren't kept, so that all together take little memory. */
const MAX_BYTES = 2048;

/** Remembers what a block of field lines says; one for all connections of a listener. */
export class FieldsMemory {
  readonly #known = new Map<string, RequestFields>();

  /** What a block said when it was parsed; `undefined` for one that isn't known. */
  recall(block: string): RequestFields | undefined {
    return block.length > MAX_BYTES ? undefined : this.#known.get(block);
  }

  /** Keeps a sound block. */
  remember(block: string, fields: RequestFields): void {
    // What tells of one body is of no use for the next.
    if (block.length > MAX_BYTES || fields.length !== null) return;
    if (this.#known.size >= MAX_BLOCKS) this.#known.clear();
    this.#known.set(block, fields);
  }
}
