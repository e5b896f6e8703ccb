import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ChunkedDecoder } from "../../../src/host/http1/chunked_decoder.ts";

interface Decoded {
  readonly content: string;
  readonly rest: string;
  readonly done: boolean;
  readonly refused: boolean;
}

function decode(input: Buffer, cuts: readonly number[] = []): Decoded {
  const decoder = new ChunkedDecoder();
  const bounds = [0, ...cuts.map((cut) => cut % (input.length + 1)), input.length]
    .sort((a, b) => a - b);
  const content: Buffer[] = [];
  for (let index = 1; index < bounds.length; index++) {
    const piece = decoder.push(input.subarray(bounds[index - 1], bounds[index]));
    if (piece.refusal !== null) return { content: "", rest: "", done: false, refused: true };
    content.push(piece.content);
    if (decoder.done) {
      const rest = Buffer.concat([piece.rest, input.subarray(bounds[index])]).toString("latin1");
      return {
        content: Buffer.concat(content).toString("latin1"),
        rest,
        done: true,
        refused: false,
      };
    }
  }
  const text = Buffer.concat(content).toString("latin1");
  return { content: text, rest: "", done: false, refused: false };
}

const body = fc.array(fc.string({ minLength: 1, unit: "binary-ascii" }), { maxLength: 6 });
const encoded = fc.tuple(body, fc.constantFrom("", ";a", ";a=b", ';a="b;c"'), fc.boolean()).map(
  ([pieces, extension, trailer]) => {
    const chunks = pieces.map((piece) =>
      `${piece.length.toString(16)}${extension}\r\n${piece}\r\n`
    );
    const end = `0${extension}\r\n${trailer ? "X-A: b\r\nY:\r\n" : ""}\r\n`;
    return { text: chunks.join("") + end, content: pieces.join("") };
  },
);
const cuts = fc.array(fc.nat(), { maxLength: 20 });

describe("ChunkedDecoder", () => {
  it("push() gives the content and what follows, however the bytes are cut", () => {
    fc.assert(fc.property(encoded, fc.string({ unit: "binary-ascii" }), cuts, (sent, next, at) => {
      assert.deepEqual(decode(Buffer.from(sent.text + next, "latin1"), at), {
        content: sent.content,
        rest: next,
        done: true,
        refused: false,
      });
    }));
  });

  it("push() answers damaged input the same however it is cut", () => {
    const damaged = fc.tuple(encoded, fc.nat(), fc.constantFrom("\n", "\r", " ", "-", "g", "\0"))
      .map(([{ text }, at, inserted]) => {
        const index = at % (text.length + 1);
        return Buffer.from(text.slice(0, index) + inserted + text.slice(index), "latin1");
      });
    fc.assert(fc.property(damaged, cuts, (input, at) => {
      assert.deepEqual(decode(input, at), decode(input));
    }));
  });

  it("push() is not done before the last byte", () => {
    fc.assert(fc.property(encoded, fc.nat(), ({ text }, at) => {
      const part = Buffer.from(text.slice(0, at % text.length), "latin1");
      assert.equal(decode(part).done, false);
      assert.equal(decode(part).refused, false);
    }));
  });

  it("push() refuses endless lines and trailers", () => {
    const long = "a".repeat(10_000);
    assert.equal(decode(Buffer.from(`1;${long}`)).refused, true);
    assert.equal(decode(Buffer.from(`0\r\nX: ${long}`)).refused, true);
    const many = "X: aaaaaaaaaa\r\n".repeat(1000);
    assert.equal(decode(Buffer.from(`0\r\n${many}\r\n`)).refused, true);
    assert.equal(decode(Buffer.from("fffffffffffff\r\n")).refused, true);
  });
});
