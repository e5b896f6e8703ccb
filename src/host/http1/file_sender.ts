/**
 * Sends a file range: a small one whole with the head, a large one by two alternating buffers, one
 * being filled while the other is written.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { isRewritten } from "../rewritten.ts";
import { carve } from "../slab.ts";
import type { FileBody } from "../types.ts";
import { LARGE_BYTES, POOLED_BYTES } from "./buffer_pool.ts";
import { type Exchange, gone, type SendResult } from "./exchange.ts";

/** Ranges up to this size are sent with the head in one write. */
const SMALL_BYTES = 64 * 1024;
/** After a write that took less, the next one may be of a whole large buffer. */
const FAST_WRITE_MS = 50;
/** What is written at a time to a slow reader, so that its progress shows. */
const SLOW_BYTES = 64 * 1024;

/**
 * Sends a head and a file range, exactly as long as it was checked to be: growth adds nothing, and
 * truncation or another content cuts the connection so that the client can tell. Does not finish the
 * body.
 */
export function sendFile(head: string, body: FileBody, exchange: Exchange): Promise<SendResult> {
  return body.end - body.start <= SMALL_BYTES
    ? sendSmall(head, body, exchange)
    : sendLarge(head, body, exchange);
}

async function sendSmall(head: string, body: FileBody, exchange: Exchange): Promise<SendResult> {
  const { wire } = exchange;
  const { buffer, byteOffset, byteLength } = carve(head.length + body.end - body.start);
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  bytes.write(head, 0, "latin1");
  let filled = head.length;
  while (filled < bytes.length) {
    const view = bytes.subarray(filled);
    const position = body.start + filled - head.length;
    const count = exchange.readAtOnce
      ? body.file.readSync(view, position)
      : await body.file.read(view, position);
    if (count === 0 || isRewritten(body.file)) break;
    filled += count;
  }
  const sent = await wire.send(bytes.subarray(0, filled));
  if (filled < bytes.length) return changed(exchange);
  return sent ? { outcome: "finished", reusable: true } : gone(wire);
}

async function sendLarge(head: string, body: FileBody, exchange: Exchange): Promise<SendResult> {
  const { wire, pool, clock } = exchange;
  let position = body.start;
  let fast = false;
  /** Fills a buffer from `offset` on; gives how many bytes of it are to be sent. */
  const fill = async (buffer: Buffer, offset: number): Promise<number> => {
    const most = wire.progress.slow
      ? SLOW_BYTES
      : fast && pool.quiet
      ? buffer.length
      : POOLED_BYTES;
    const wanted = Math.min(most - offset, body.end - position);
    const count = await body.file.read(buffer.subarray(offset, offset + wanted), position);
    if (count === 0 || isRewritten(body.file)) return 0;
    position += count;
    return offset + count;
  };
  const isLong = body.end - body.start > LARGE_BYTES;
  let current = isLong ? pool.takeLarge() : pool.take();
  let next = isLong ? pool.takeLarge() : pool.take();
  let taken: Promise<boolean> | null = null;
  current.write(head, 0, "latin1");
  try {
    // The head goes out even where nothing follows, so that the client sees what broke off.
    let count = Math.max(head.length, await fill(current, head.length));
    while (count > 0) {
      const done = position >= body.end;
      const began = clock.monotonic();
      const writing = wire.send(current.subarray(0, count));
      taken = writing;
      count = done ? 0 : await fill(next, 0);
      if (!await writing) return gone(wire);
      taken = null;
      fast = clock.monotonic() - began < FAST_WRITE_MS;
      if (done) return { outcome: "finished", reusable: true };
      [current, next] = [next, current];
    }
    return changed(exchange);
  } finally {
    // A buffer whose write was cut off may still be looked at: it is left to the collector.
    pool.give(current, taken === null);
    pool.give(next);
  }
}

function changed(exchange: Exchange): SendResult {
  exchange.onError(new Error("A file changed while it was being sent"));
  exchange.wire.destroy();
  return { outcome: "failed", reusable: false };
}
