/**
 * A request's body: taken off the connection piece by piece and offered as a lazy stream.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { ChunkedDecoder } from "./chunked_decoder.ts";
import type { Refusal } from "./refusal.ts";
import type { RequestFraming } from "./request_head.ts";

/** Bytes that wait for a reader before the connection is paused. */
const BACKLOG_LIMIT = 64 * 1024;

/** One request's body. A request without one is complete from the start. */
export class RequestBody {
  readonly #decoder: ChunkedDecoder | null;
  readonly #onDemand: () => void;
  #remaining: number;
  #backlog: Buffer[] = [];
  #backlogBytes = 0;
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  #wanted = false;
  #discarding = false;
  #error: unknown = null;

  /** @param onDemand called when a reader waits for bytes that have not come in */
  constructor(framing: RequestFraming, onDemand: () => void) {
    this.#decoder = framing.kind === "chunked" ? new ChunkedDecoder() : null;
    this.#remaining = framing.kind === "length" ? framing.length : 0;
    this.#onDemand = onDemand;
  }

  /** Whether all of the body has come in. */
  get complete(): boolean {
    return this.#remaining === 0 && (this.#decoder === null || this.#decoder.done);
  }

  /** Whether a reader waits for bytes. */
  get wanted(): boolean {
    return this.#wanted;
  }

  /** Whether so much waits for a reader that no more should be taken off the connection. */
  get full(): boolean {
    return this.#backlogBytes >= BACKLOG_LIMIT && !this.#wanted;
  }

  /** Bytes still to come, as far as is known: `Infinity` for a chunked body under way. */
  get remaining(): number {
    if (this.complete) return 0;
    return this.#decoder === null ? this.#remaining : Infinity;
  }

  /**
   * The body as a stream that reads nothing ahead: without a reader nothing is asked for, so that
   * the sender feels it.
   */
  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        if (this.#error !== null) controller.error(this.#error);
      },
      pull: () => this.#pull(),
      cancel: () => this.discard(),
    }, { highWaterMark: 0 });
  }

  /** The body where all of it has come in and nobody has begun to read it; it is read then. */
  takeWhole(): Uint8Array | null {
    if (!this.complete || this.#discarding || this.#controller !== null) return null;
    const [first, ...others] = this.#backlog;
    this.#backlog = [];
    this.#backlogBytes = 0;
    if (first === undefined) return new Uint8Array();
    return plain(others.length === 0 ? first : Buffer.concat([first, ...others]));
  }

  /** Takes bytes off the connection; gives those past the body's end, or why it is refused. */
  push(input: Buffer): Buffer | Refusal {
    if (this.complete) return input;
    let rest: Buffer;
    if (this.#decoder === null) {
      const piece = input.subarray(0, this.#remaining);
      this.#remaining -= piece.length;
      this.#accept(piece);
      rest = input.subarray(piece.length);
    } else {
      const decoded = this.#decoder.push(input);
      if (decoded.refusal !== null) return decoded.refusal;
      this.#accept(decoded.content);
      rest = decoded.rest;
    }
    if (this.complete && this.#backlogBytes === 0) this.#close();
    return rest;
  }

  /** Throws away what waits and what is still to come. */
  discard(): void {
    this.#discarding = true;
    this.#backlog = [];
    this.#backlogBytes = 0;
    this.#wanted = false;
  }

  /** Ends the stream with an error: the rest of the body won't come. */
  fail(error: unknown): void {
    if (this.complete || this.#error !== null) return;
    this.#error = error;
    this.discard();
    this.#controller?.error(error);
    this.#controller = null;
  }

  #accept(piece: Buffer): void {
    if (this.#discarding || piece.length === 0) return;
    if (this.#wanted && this.#controller !== null) {
      this.#wanted = false;
      this.#controller.enqueue(plain(piece));
      return;
    }
    this.#backlog.push(piece);
    this.#backlogBytes += piece.length;
  }

  #pull(): void {
    const piece = this.#backlog.shift();
    if (piece === undefined) {
      if (this.complete) return this.#close();
      this.#wanted = true;
      this.#onDemand();
      return;
    }
    this.#backlogBytes -= piece.length;
    this.#controller?.enqueue(plain(piece));
    if (this.complete && this.#backlogBytes === 0) this.#close();
  }

  #close(): void {
    this.#wanted = false;
    if (this.#discarding) return;
    this.#controller?.close();
    this.#controller = null;
  }
}

/** Readers get a plain array: a Buffer's `slice` shares memory, which readers don't expect. */
function plain(piece: Buffer): Uint8Array {
  return new Uint8Array(piece.buffer, piece.byteOffset, piece.length);
}
