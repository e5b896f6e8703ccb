/**
 * Collects bytes until a request's head is complete, and refuses as soon as it can't become one.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { ListenerLimits } from "../types.ts";
import type { FieldsMemory } from "./fields_memory.ts";
import type { Refusal } from "./refusal.ts";
import {
  headersTooLarge,
  parseRequestHead,
  type RequestHead,
  targetTooLong,
} from "./request_head.ts";

/** What the bytes so far amount to. */
export type ParseStep =
  | { readonly kind: "head"; readonly head: RequestHead; readonly rest: Buffer }
  | { readonly kind: "more" }
  /** `text`: what there is of the head, as Latin-1 text. */
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly text: string };

/** The limits that the parser keeps. */
export type ParserLimits = Pick<
  ListenerLimits,
  "maxHeaderBytes" | "maxHeaderLines" | "maxTargetBytes"
>;

const EMPTY = Buffer.alloc(0);
const MORE: ParseStep = { kind: "more" };
const END = "\r\n\r\n";
const CR = 0x0d;
const LF = 0x0a;
/** Room for a method, the version and blanks beside the target. */
const REQUEST_LINE_EXTRA = 64;
/** The line end after the request line, and those after the last field line. */
const LINE_ENDS = 6;
/** What can't be part of a head, and a line end that is not CR LF; a CR may come last. */
const UNSOUND = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n|$)|(?<!\r)\n/;

/** An incremental parser; one per connection, used again for each request. */
export class RequestParser {
  readonly #limits: ParserLimits;
  readonly #memory: FieldsMemory | undefined;
  readonly #capacity: number;
  #held: Buffer = EMPTY;
  #length = 0;

  constructor(limits: ParserLimits, memory?: FieldsMemory) {
    this.#limits = limits;
    this.#memory = memory;
    this.#capacity = limits.maxTargetBytes + REQUEST_LINE_EXTRA + limits.maxHeaderBytes +
      LINE_ENDS;
  }

  /** Whether some bytes of a head have come in. */
  get started(): boolean {
    return this.#length > 0;
  }

  /** Takes further bytes. After a complete head the parser is ready for the next one. */
  push(chunk: Buffer): ParseStep {
    if (this.#length === 0) {
      // RFC 9112 §2.2: empty lines before the request line are passed over.
      const input = skipEmptyLines(chunk);
      const end = input.indexOf(END);
      return end < 0 ? this.#collect(input) : this.#complete(input, end);
    }
    if (this.#length === 1 && this.#held[0] === CR && chunk[0] === LF) {
      this.#length = 0;
      return this.push(chunk.subarray(1));
    }
    return this.#collect(chunk);
  }

  #collect(input: Buffer): ParseStep {
    if (input.length === 0) return MORE;
    const before = this.#length;
    this.#hold(input.subarray(0, this.#capacity + 1 - before));
    const scanned = Math.max(0, before - (END.length - 1));
    const end = this.#held.subarray(0, this.#length).indexOf(END, scanned);
    if (end < 0) return this.#incomplete(scanned);
    const step = this.#complete(this.#held, end);
    this.#held = EMPTY;
    this.#length = 0;
    if (step.kind !== "head") return step;
    return { ...step, rest: input.subarray(end + END.length - before) };
  }

  #complete(bytes: Buffer, end: number): ParseStep {
    const text = bytes.toString("latin1", 0, end);
    const head = parseRequestHead(text, this.#limits, this.#memory);
    if ("code" in head) return { kind: "refused", refusal: head, text };
    return { kind: "head", head, rest: bytes.subarray(end + END.length) };
  }

  /** Refuses early what no further byte can mend. */
  #incomplete(scanned: number): ParseStep {
    const { maxTargetBytes, maxHeaderBytes } = this.#limits;
    const fresh = this.#held.toString("latin1", Math.max(0, scanned - 1), this.#length);
    // What comes before was looked at with an earlier piece, so a LF here followed its CR.
    if (UNSOUND.test(scanned > 0 ? fresh.replace(/^\n/, "") : fresh)) {
      return this.#refuse({
        code: "bad_request",
        message: "The request's head has a control character or a line end that is not CR LF",
      });
    }
    const lineEnd = this.#held.subarray(0, this.#length).indexOf("\r\n");
    const line = lineEnd < 0 ? this.#length : lineEnd;
    if (line > maxTargetBytes + REQUEST_LINE_EXTRA) {
      return this.#refuse(targetTooLong(maxTargetBytes));
    }
    if (this.#length - line > maxHeaderBytes + LINE_ENDS) {
      return this.#refuse(headersTooLarge(maxHeaderBytes));
    }
    return MORE;
  }

  #refuse(refusal: Refusal): ParseStep {
    return { kind: "refused", refusal, text: this.#held.toString("latin1", 0, this.#length) };
  }

  #hold(bytes: Buffer): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#held.length) {
      const grown = Buffer.allocUnsafe(Math.max(1024, needed, this.#held.length * 2));
      this.#held.copy(grown, 0, 0, this.#length);
      this.#held = grown;
    }
    bytes.copy(this.#held, this.#length);
    this.#length = needed;
  }
}

function skipEmptyLines(chunk: Buffer): Buffer {
  let start = 0;
  while (chunk[start] === CR && chunk[start + 1] === LF) start += 2;
  return start === 0 ? chunk : chunk.subarray(start);
}
