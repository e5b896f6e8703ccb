/**
 * Small buffers cut from large ones: each of its own would be memory outside of the heap, which
 * the runtimes take and give back at a price.
 *
 * @module
 */

const SLAB_BYTES = 256 * 1024;

let slab = new Uint8Array(0);
let used = 0;

/**
 * Bytes with whatever they held before, of which nobody else has a view. A slab is collected once
 * nobody has a view of any part of it, so they are for what is soon done with.
 */
export function carve(size: number): Uint8Array<ArrayBuffer> {
  if (size > SLAB_BYTES / 4) return new Uint8Array(size);
  if (used + size > slab.byteLength) {
    slab = new Uint8Array(SLAB_BYTES);
    used = 0;
  }
  const start = used;
  // Whole words, so that copies are fast.
  used += (size + 7) & ~7;
  return new Uint8Array(slab.buffer, start, size);
}
