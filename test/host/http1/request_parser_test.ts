import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import fc from "fast-check";
import { DEFAULT_LIMITS } from "../../../src/host/http1/limits.ts";
import { type ParseStep, RequestParser } from "../../../src/host/http1/request_parser.ts";
import { rawRequest } from "../../support/raw_http.ts";
import { runtimeName } from "../../support/runtime.ts";

const TOKEN = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const VISIBLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(0x21 + index));

const token = fc.array(fc.constantFrom(...TOKEN), { minLength: 1, maxLength: 12 })
  .map((characters) => characters.join(""));
const target = fc.array(fc.constantFrom(...VISIBLE), { maxLength: 40 })
  .map((characters) => `/${characters.join("")}`);
const fieldValue = fc.array(fc.constantFrom(...VISIBLE, " ", "\t", "\u00e9"), { maxLength: 30 })
  .map((characters) => characters.join("").replace(/^[ \t]+|[ \t]+$/g, ""));
const OWN = /^(?:host|content-length|transfer-encoding|connection|expect|cookie|upgrade|http2.*)$/i;
const field = fc.tuple(token.filter((name) => !OWN.test(name)), fieldValue);

interface Sample {
  readonly method: string;
  readonly target: string;
  readonly fields: readonly (readonly [string, string])[];
}

const sample: fc.Arbitrary<Sample> = fc.record({
  method: fc.constantFrom("GET", "POST", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"),
  target,
  fields: fc.array(field, { maxLength: 8 }),
});

function textOf({ method, target, fields }: Sample): string {
  const lines = fields.map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${target} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n");
}

function parse(bytes: Buffer, cuts: readonly number[] = []): ParseStep {
  const parser = new RequestParser(DEFAULT_LIMITS);
  const bounds = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length]
    .sort((a, b) => a - b);
  let step: ParseStep = { kind: "more" };
  for (let index = 1; index < bounds.length; index++) {
    step = parser.push(bytes.subarray(bounds[index - 1], bounds[index]));
    if (step.kind === "head") {
      const rest = Buffer.concat([step.rest, bytes.subarray(bounds[index])]);
      return { ...step, rest };
    }
    if (step.kind === "refused") return step;
  }
  return step;
}

describe("RequestParser", () => {
  it("push() gives back what a well-formed request says", () => {
    fc.assert(fc.property(sample, fc.string(), (request, body) => {
      const rest = Buffer.from(body, "latin1");
      const step = parse(Buffer.concat([Buffer.from(textOf(request), "latin1"), rest]));
      assert.equal(step.kind, "head");
      if (step.kind !== "head") return;
      assert.equal(step.head.method, request.method);
      assert.equal(step.head.target, request.target);
      assert.deepEqual(step.head.headers, [
        ["host", "localhost"],
        ...request.fields.map(([name, value]) => [name.toLowerCase(), value]),
      ]);
      assert.deepEqual(step.rest, rest);
    }));
  });

  it("push() gives the same however the bytes are cut", () => {
    const bytes = fc.oneof(
      sample.map(textOf),
      fc.tuple(sample.map(textOf), fc.nat(), fc.constantFrom("\n", "\r", "\0", " ", ":", "\x7f"))
        .map(([text, at, inserted]) => {
          const index = at % text.length;
          return text.slice(0, index) + inserted + text.slice(index);
        }),
    ).map((text) => Buffer.from(text, "latin1"));
    fc.assert(fc.property(bytes, fc.array(fc.nat(), { maxLength: 20 }), (input, cuts) => {
      const whole = parse(input);
      const pieces = parse(input, cuts);
      assert.equal(pieces.kind, whole.kind);
      if (pieces.kind === "head" && whole.kind === "head") {
        assert.deepEqual(pieces.head, whole.head);
        assert.deepEqual(pieces.rest, whole.rest);
      }
      if (pieces.kind === "refused" && whole.kind === "refused") {
        assert.equal(pieces.refusal.code, whole.refusal.code);
      }
    }));
  });

  it("push() never throws and holds a bounded amount", () => {
    fc.assert(fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (chunks) => {
      const parser = new RequestParser(DEFAULT_LIMITS);
      for (const chunk of chunks) if (parser.push(Buffer.from(chunk)).kind !== "more") return;
    }));
    const parser = new RequestParser(DEFAULT_LIMITS);
    let pushed = 0;
    while (parser.push(Buffer.alloc(1000, "a")).kind === "more") pushed += 1000;
    assert.ok(pushed <= DEFAULT_LIMITS.maxTargetBytes + 1000);
  });

  it("push() keeps the limits exactly, in one piece or many", () => {
    const head = (length: number) =>
      Buffer.from(`GET / HTTP/1.1\r\nHost: h\r\nX: ${"a".repeat(length)}\r\n\r\n`);
    // The field lines with their line ends, but for the last one.
    const room = DEFAULT_LIMITS.maxHeaderBytes - "Host: h\r\nX: ".length;
    for (const cuts of [[], [5, 700, 9000], [16_000, 16_400]]) {
      assert.equal(parse(head(room), cuts).kind, "head");
      const step = parse(head(room + 1), cuts);
      assert.equal(step.kind === "refused" && step.refusal.code, "headers_too_large");
    }
  });

  it("push() is ready for a further request after a head", () => {
    const parser = new RequestParser(DEFAULT_LIMITS);
    const text = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n";
    for (let count = 0; count < 3; count++) {
      assert.equal(parser.push(Buffer.from(text.slice(0, 9))).kind, "more");
      assert.equal(parser.started, true);
      assert.equal(parser.push(Buffer.from(text.slice(9))).kind, "head");
      assert.equal(parser.started, false);
    }
  });

  it("push() passes over empty lines, also when they come in pieces", () => {
    const parser = new RequestParser(DEFAULT_LIMITS);
    for (const piece of ["\r", "\n", "\r\n", "\r"]) {
      assert.equal(parser.push(Buffer.from(piece)).kind, "more");
    }
    assert.equal(parser.push(Buffer.from("\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n")).kind, "head");
  });

  // The oracle is Node's own parser, which the others don't have.
  if (runtimeName === "node") {
    it("push() agrees with Node's parser about well-formed requests", async () => {
      const server = createServer((request, response) => {
        const { method, url, rawHeaders } = request;
        response.end(JSON.stringify({ method, url, rawHeaders }));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      try {
        await fc.assert(
          fc.asyncProperty(sample, async (request) => {
            const text = textOf({ ...request, method: request.method.replace("HEAD", "GET") });
            const bytes = Buffer.from(text, "latin1");
            const response = await rawRequest({ port }, bytes);
            assert.equal(response.status, 200);
            const { method, url, rawHeaders } = response.json();
            const step = parse(bytes);
            assert.equal(step.kind, "head");
            if (step.kind !== "head") return;
            assert.deepEqual([step.head.method, step.head.target], [method, url]);
            const flat = step.head.headers.flat();
            const lowered = (rawHeaders as string[])
              .map((value, index) => index % 2 === 0 ? value.toLowerCase() : value);
            assert.deepEqual(flat, lowered);
          }),
          { numRuns: 60 },
        );
      } finally {
        server.close();
      }
    });
  }
});
