/**
 * Sends a response whose body is a stream.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { setImmediate } from "node:timers";
import { carve } from "../slab.ts";
import { type Exchange, gone, type SendResult } from "./exchange.ts";
import {
  declaredLength,
  formatResponseHead,
  httpDate,
  isEventStream,
  type ResponseFraming,
} from "./response_head.ts";

/** Stands for a read that failed. */
const FAILED = Symbol("failed");

type Peek = Read | typeof FAILED | null;
type Read = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>["read"]>>;

/**
 * Sends head and body. A body that ends before its Content-Length, or that fails, cuts the
 * connection; one that goes on past it is cancelled there. Every way out leaves the stream ended or
 * cancelled.
 *
 * @throws {TypeError} before anything was sent, when the body can't be read or a header not be sent
 */
export async function sendStream(
  response: Response,
  body: ReadableStream<Uint8Array>,
  exchange: Exchange,
): Promise<SendResult> {
  const { wire } = exchange;
  const reader = body.getReader();
  let settled = false;
  const cancel = (reason: unknown) => {
    settled = true;
    reader.cancel(reason).catch(exchange.onError);
  };
  wire.onGone = () => cancel(new Error("The client is gone"));
  const eventStream = isEventStream(response);
  // A slow reader keeps a write pending; an event stream that gives up on it has to end it.
  reader.closed.catch(() => {
    if (eventStream && !settled) wire.destroy();
  });
  try {
    return await pump(response, reader, eventStream, exchange, cancel);
  } catch (error) {
    if (!settled) cancel(error);
    throw error;
  } finally {
    settled = true;
    wire.onGone = null;
  }
}

async function pump(
  response: Response,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  eventStream: boolean,
  exchange: Exchange,
  cancel: (reason: unknown) => void,
): Promise<SendResult> {
  const { wire } = exchange;
  const reads = new ReadAhead(reader);
  const framing = await chooseFraming(response, reads, eventStream, exchange.minorVersion);
  const close = !exchange.keepAlive() || framing.kind === "until-close";
  const head = formatResponseHead(response, framing, close, httpDate(exchange.clock.now()));
  let unsent: Buffer | null = Buffer.from(head, "latin1");
  let writing: Promise<boolean> = Promise.resolve(true);
  if (eventStream) {
    wire.progress.timed = false;
    writing = wire.send(unsent);
    unsent = null;
    exchange.onEventStream();
  }
  let sent = 0;
  try {
    while (true) {
      if (unsent !== null && !await reads.ready()) {
        writing = wire.send(unsent);
        unsent = null;
      }
      const read = await reads.next();
      if (!await writing) return gone(wire);
      if (read.done) break;
      const piece = bytesOf(read.value);
      const room = framing.kind === "length" ? framing.length - sent : Infinity;
      const kept = piece.subarray(0, Math.min(piece.length, room));
      sent += kept.length;
      if (kept.length > 0) writing = wire.send(frame(unsent, kept, framing));
      if (kept.length > 0) unsent = null;
      if (kept.length < piece.length) {
        return await tooLong(exchange, writing, cancel);
      }
    }
  } catch (error) {
    if (wire.end !== null) return gone(wire);
    if (unsent !== null) throw error;
    return broken(exchange, error, framing, cancel);
  }
  if (framing.kind === "length" && sent < framing.length) {
    if (unsent !== null) await wire.send(unsent);
    const message = `A response body ended ${framing.length - sent} bytes short of its length`;
    return broken(exchange, new Error(message), framing, cancel);
  }
  const last = framing.kind === "chunked" ? "0\r\n\r\n" : "";
  if (unsent !== null || last !== "") {
    writing = wire.send(Buffer.concat([unsent ?? Buffer.alloc(0), Buffer.from(last)]));
  }
  if (!await writing) return gone(wire);
  return { outcome: "finished", reusable: !close };
}

/** A known length where there is one, even if only because the body is there already. */
async function chooseFraming(
  response: Response,
  reads: ReadAhead,
  eventStream: boolean,
  minorVersion: 0 | 1,
): Promise<ResponseFraming> {
  const declared = declaredLength(response);
  if (declared !== null && !eventStream) return { kind: "length", length: declared };
  if (!eventStream) {
    const length = await reads.wholeLength();
    if (length !== null) return { kind: "length", length };
  }
  return minorVersion === 0 ? { kind: "until-close" } : { kind: "chunked" };
}

/** Reads ahead by at most two pieces, to find out whether a body is there already. */
class ReadAhead {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #pending: Promise<Read>[] = [];

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  next(): Promise<Read> {
    return this.#pending.shift() ?? this.#reader.read();
  }

  /** Whether the next piece, or the failure in its place, is there without waiting. */
  async ready(): Promise<boolean> {
    return await this.#peek(0) !== null;
  }

  /** The length of a body that is there in one piece; `null` for any other. */
  async wholeLength(): Promise<number | null> {
    const first = await this.#peek(0);
    if (first === null || first === FAILED) return null;
    if (first.done) return 0;
    const second = await this.#peek(1);
    if (second === null || second === FAILED || !second.done) return null;
    return bytesOf(first.value).length;
  }

  #peek(index: number): Promise<Peek> {
    this.#pending[index] ??= this.#reader.read();
    // A failure is thrown when the piece is taken.
    const settled = this.#pending[index].catch((): typeof FAILED => FAILED);
    const turn = new Promise<null>((resolve) => setImmediate(resolve, null));
    return Promise.race([settled, turn]);
  }
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError("A response body gave something else than bytes");
}

/** One buffer of head, if it is still to be sent, and piece, chunked if need be. */
function frame(head: Buffer | null, piece: Uint8Array, framing: ResponseFraming): Uint8Array {
  if (framing.kind !== "chunked") return head === null ? piece : Buffer.concat([head, piece]);
  const size = `${piece.length.toString(16)}\r\n`;
  const start = head?.length ?? 0;
  const { buffer, byteOffset, byteLength } = carve(start + size.length + piece.length + 2);
  const whole = Buffer.from(buffer, byteOffset, byteLength);
  if (head !== null) whole.set(head);
  whole.write(size, start, "latin1");
  whole.set(piece, start + size.length);
  whole[byteLength - 2] = CR;
  whole[byteLength - 1] = LF;
  return whole;
}

const CR = 0x0d;
const LF = 0x0a;

async function tooLong(
  exchange: Exchange,
  writing: Promise<boolean>,
  cancel: (reason: unknown) => void,
): Promise<SendResult> {
  const error = new Error("A response body went on past its length");
  exchange.onError(error);
  cancel(error);
  return await writing ? { outcome: "failed", reusable: false } : gone(exchange.wire);
}

function broken(
  exchange: Exchange,
  error: unknown,
  framing: ResponseFraming,
  cancel: (reason: unknown) => void,
): SendResult {
  exchange.onError(error);
  cancel(error);
  // Where the connection's end is the body's end, only an error tells the client.
  if (framing.kind === "until-close") exchange.wire.reset();
  else exchange.wire.destroy();
  return { outcome: "failed", reusable: false };
}
