/**
 * Decodes the chunked transfer coding, strictly (RFC 9112 §7.1).
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { Refusal } from "./refusal.ts";

/** Longest line of a chunk's size with its extensions. */
const MAX_SIZE_LINE = 256;
/** Most bytes of trailer fields; they are checked and thrown away. */
const MAX_TRAILERS = 8 * 1024;
/** Hexadecimal digits of a chunk's size, then extensions, which are not looked into. */
const SIZE_LINE = /^([0-9A-Fa-f]{1,12})(?:;[\t\x20-\x7e\x80-\xff]*)?$/;
const TRAILER_LINE = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*$/;
const EMPTY = Buffer.alloc(0);
const CR = 0x0d;
const LF = 0x0a;

/** What a piece of input brought. */
export interface DecodedPiece {
  /** Content in one piece: chunks may be of one byte each, and a piece costs far more than that. */
  readonly content: Buffer;
  /** Input past the end of the body. */
  readonly rest: Buffer;
  readonly refusal: Refusal | null;
}

type State = "content" | "content-end" | "done" | "size" | "trailer";

/** An incremental decoder for one body. */
export class ChunkedDecoder {
  #state: State = "size";
  #line = "";
  #remaining = 0;
  #trailerBytes = 0;

  /** Whether the last chunk and the trailers have come in. */
  get done(): boolean {
    return this.#state === "done";
  }

  /** Takes further bytes; after a refusal it must not be called again. */
  push(input: Buffer): DecodedPiece {
    const content: Buffer[] = [];
    let at = 0;
    while (at < input.length && this.#state !== "done") {
      if (this.#state === "content") {
        const piece = input.subarray(at, at + this.#remaining);
        content.push(piece);
        at += piece.length;
        this.#remaining -= piece.length;
        if (this.#remaining === 0) this.#state = "content-end";
        continue;
      }
      const end = input.indexOf(LF, at);
      const stop = end < 0 ? input.length : end + 1;
      const limit = this.#state === "trailer" ? MAX_TRAILERS : MAX_SIZE_LINE;
      if (this.#line.length + stop - at > limit) return refused("A chunk's head is too long");
      this.#line += input.toString("latin1", at, stop);
      at = stop;
      if (end < 0) break;
      if (this.#line.charCodeAt(this.#line.length - 2) !== CR) {
        return refused("A line of the chunked body does not end with CR LF");
      }
      const line = this.#line.slice(0, -2);
      this.#line = "";
      if (!this.#endLine(line)) return refused("The chunked body is malformed");
    }
    const whole = content.length === 1 ? content[0]! : Buffer.concat(content);
    return { content: whole, rest: input.subarray(at), refusal: null };
  }

  #endLine(line: string): boolean {
    if (this.#state === "content-end") {
      this.#state = "size";
      return line === "";
    }
    if (this.#state === "size") {
      const match = SIZE_LINE.exec(line);
      if (match === null) return false;
      this.#remaining = Number.parseInt(match[1]!, 16);
      this.#state = this.#remaining === 0 ? "trailer" : "content";
      return true;
    }
    this.#trailerBytes += line.length;
    if (line === "") this.#state = "done";
    return line === "" || (TRAILER_LINE.test(line) && this.#trailerBytes <= MAX_TRAILERS);
  }
}

function refused(message: string): DecodedPiece {
  return { content: EMPTY, rest: EMPTY, refusal: { code: "bad_request", message } };
}
