/**
 * Sends a file range: a small one whole with the head, a large one piece by piece.
 *
 * @module
 */

import type { Buffer } from "node:buffer";
import { buffers, LARGE_PIECE_BYTES, PIECE_BYTES } from "../buffer_pool.ts";
import { MemoryFile } from "../memory_file.ts";
import { readTurns } from "../read_turns.ts";
import { isRewritten } from "../rewritten.ts";
import type { FileBody } from "../types.ts";
import { type Exchange, gone, type SendResult } from "./exchange.ts";

/** Ranges up to this size are sent with the head in one write. */
const SMALL_BYTES = 64 * 1024;
/** A reader keeps up that has taken so much, more than the kernel holds for one that doesn't, … */
const PROVEN_BYTES = 8 * 1024 * 1024;
/** … and whose last write took less. */
const FAST_WRITE_MS = 50;
/** What is written at a time to a slow reader, so that its progress shows. */
const SLOW_BYTES = 64 * 1024;
/** While so few pieces are in use, each transfer reads one ahead; else others read meanwhile. */
const FEW_PIECES = 3;

/**
 * Sends a head and a file range, exactly as long as it was checked to be: growth adds nothing, and
 * truncation or another content cuts the connection so that the client can tell. Does not finish the
 * body.
 */
export function sendFile(head: string, body: FileBody, exchange: Exchange): Promise<SendResult> {
  const ifGone = (error: unknown) => goneOrThrow(error, exchange);
  if (body.end - body.start > SMALL_BYTES) return sendLarge(head, body, exchange).catch(ifGone);
  const framed = body.file instanceof MemoryFile ? body.file.frame(head) : null;
  if (framed === null) return sendSmall(head, body, exchange).catch(ifGone);
  return exchange.wire.send(framed.piece).then((sent) => {
    if (!sent) return gone(exchange.wire);
    framed.giveBack();
    return { outcome: "finished", reusable: true };
  });
}

async function sendSmall(head: string, body: FileBody, exchange: Exchange): Promise<SendResult> {
  const { wire } = exchange;
  const length = head.length + body.end - body.start;
  const buffer = buffers.take(length);
  buffer.write(head, 0, "latin1");
  let filled = head.length;
  while (filled < length) {
    const view = buffer.subarray(filled, length);
    const position = body.start + filled - head.length;
    const count = exchange.readAtOnce
      ? body.file.readSync(view, position)
      : await body.file.read(view, position);
    if (count === 0 || isRewritten(body.file)) break;
    filled += count;
  }
  const sent = await wire.send(buffer.subarray(0, filled));
  buffers.give(buffer, sent);
  if (filled < length) return changed(exchange);
  return sent ? { outcome: "finished", reusable: true } : gone(wire);
}

async function sendLarge(head: string, body: FileBody, exchange: Exchange): Promise<SendResult> {
  const { wire, clock } = exchange;
  const source = new Pieces(body, head);
  let size = PIECE_BYTES;
  let piece = await source.next(size);
  let ahead: Promise<Piece> | null = null;
  try {
    while (true) {
      const { bytes, buffer, isLast, isBroken } = piece;
      if (!isLast && buffers.pieces <= FEW_PIECES) {
        ahead = source.next(size);
        // It is thrown when the piece is asked for.
        ahead.catch(() => {});
      }
      const began = clock.monotonic();
      const taken = bytes.length === 0 || await wire.send(bytes);
      buffers.give(buffer, taken);
      if (!taken) return gone(wire);
      if (isBroken) return changed(exchange);
      if (isLast) return { outcome: "finished", reusable: true };
      const keepsUp = source.given > PROVEN_BYTES && clock.monotonic() - began < FAST_WRITE_MS;
      size = wire.progress.slow ? SLOW_BYTES : keepsUp ? LARGE_PIECE_BYTES : PIECE_BYTES;
      const next = ahead ?? source.next(size);
      ahead = null;
      piece = await next;
    }
  } finally {
    // Where the client is gone, nobody waits for what was read ahead.
    ahead?.then(({ buffer }) => buffers.give(buffer), () => {});
  }
}

/** What is sent in one write. */
interface Piece {
  readonly buffer: Buffer;
  readonly bytes: Buffer;
  readonly isLast: boolean;
  /** Whether nothing more can be read, as the file has changed. */
  readonly isBroken: boolean;
}

/** A head and a file range, piece by piece; the next one is asked for once one was given. */
class Pieces {
  readonly #body: FileBody;
  #head: string;
  #position: number;

  constructor(body: FileBody, head: string) {
    this.#body = body;
    this.#head = head;
    this.#position = body.start;
  }

  /** How many bytes were given. */
  get given(): number {
    return this.#position - this.#body.start;
  }

  /**
   * Reads the next piece, of at most `size` bytes. The head goes out even where nothing follows, so
   * that the client sees what broke off.
   */
  async next(size: number): Promise<Piece> {
    const { file, end } = this.#body;
    const before = this.#head.length;
    const buffer = buffers.take(Math.min(size, before + end - this.#position));
    try {
      buffer.write(this.#head, 0, "latin1");
      this.#head = "";
      const most = Math.min(size, buffer.length) - before;
      const view = buffer.subarray(before, before + Math.min(most, end - this.#position));
      const count = await readTurns.take(() => file.read(view, this.#position));
      const isBroken = count === 0 || isRewritten(file);
      if (!isBroken) this.#position += count;
      const bytes = buffer.subarray(0, isBroken ? before : before + count);
      return { buffer, bytes, isLast: isBroken || this.#position >= end, isBroken };
    } catch (error) {
      buffers.give(buffer, false);
      throw error;
    }
  }
}

/** The file is closed once the client is gone: that reads fail from then on is no fault. */
function goneOrThrow(error: unknown, { wire }: Exchange): SendResult {
  if (wire.end === null) throw error;
  return gone(wire);
}

function changed(exchange: Exchange): SendResult {
  exchange.onError(new Error("A file changed while it was being sent"));
  exchange.wire.destroy();
  return { outcome: "failed", reusable: false };
}
