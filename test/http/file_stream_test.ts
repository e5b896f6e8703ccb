import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import type { FileStat, OpenedFile } from "../../src/host/types.ts";
import { streamFile } from "../../src/http/file_stream.ts";

const SIZE = 200_000;
const CONTENT = new Uint8Array(SIZE).map((_, index) => (index * 7 + (index >> 8)) % 256);

/** A file in memory that counts how often it is closed and gives at most `most` bytes a read. */
function fakeFile(length = SIZE, most = Infinity) {
  const read = (view: Uint8Array, position: number): number => {
    assert.equal(file.closed, 0, "a closed file is not read");
    const count = Math.max(0, Math.min(view.byteLength, length - position, most));
    view.set(CONTENT.subarray(position, position + count));
    return count;
  };
  const file = {
    stat: {} as FileStat,
    closed: 0,
    reads: 0,
    readSync: read,
    statNow: () => file.stat,
    refresh: () => {},
    async read(view: Uint8Array, position: number) {
      file.reads += 1;
      await Promise.resolve();
      return read(view, position);
    },
    close: () => void (file.closed += 1),
  };
  return file satisfies OpenedFile & { closed: number; reads: number };
}

function stream(file: OpenedFile, start = 0, end = SIZE, blocking = false) {
  const state = { released: 0 };
  return { ...streamFile(file, start, end, () => state.released += 1, blocking), state };
}

describe("streamFile()", () => {
  it("gives the range's bytes in chunks of 64 KiB and ends the body once", async () => {
    const file = fakeFile();
    const { stream: body, state } = stream(file, 10, 150_000);
    const sizes: number[] = [];
    const bytes: number[] = [];
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      sizes.push(chunk.byteLength);
      bytes.push(...chunk);
    }
    assert.deepEqual(sizes, [65_536, 65_536, 18_918]);
    assert.deepEqual(new Uint8Array(bytes), CONTENT.subarray(10, 150_000));
    assert.deepEqual([file.closed, state.released], [1, 1]);
  });

  it("reads nothing before it is asked to", async () => {
    const file = fakeFile();
    const { stream: body } = stream(file);
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.equal(file.reads, 0);
    await body.cancel();
  });

  it("fills whatever view a reader brings, and reads in pieces of any size", async () => {
    const shapes = fc.record({
      start: fc.nat(SIZE - 1),
      length: fc.integer({ min: 1, max: 100_000 }),
      view: fc.integer({ min: 1, max: 300_000 }),
      most: fc.integer({ min: 500, max: 80_000 }),
      blocking: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(shapes, async ({ start, length, view, most, blocking }) => {
        const size = Math.max(view, 1000);
        const end = Math.min(start + length, SIZE);
        const file = fakeFile(SIZE, most);
        const { stream: body, state } = stream(file, start, end, blocking);
        const reader = body.getReader({ mode: "byob" });
        const whole = new Uint8Array(end - start);
        let filled = 0;
        for (;;) {
          const { value, done } = await reader.read(new Uint8Array(size));
          if (done) break;
          whole.set(value, filled);
          filled += value.byteLength;
        }
        assert.equal(filled, whole.byteLength);
        assert.deepEqual(whole, CONTENT.subarray(start, end));
        assert.deepEqual([file.closed, state.released], [1, 1]);
      }),
      { numRuns: 40 },
    );
  });

  it("errors when the file has become shorter", async () => {
    for (const blocking of [true, false]) {
      const file = fakeFile(1000);
      const { stream: body, state } = stream(file, 0, 2000, blocking);
      await assert.rejects(new Response(body).arrayBuffer());
      assert.deepEqual([file.closed, state.released], [1, 1]);
    }
  });

  it("ends the body when the reader cancels, also under a read", async () => {
    const file = fakeFile();
    const { stream: body, state } = stream(file);
    const reader = body.getReader();
    await reader.read();
    const under = reader.read();
    await reader.cancel();
    await under;
    assert.deepEqual([file.closed, state.released], [1, 1]);
  });

  it("ends the body when it is finished from outside, and then errors", async () => {
    const file = fakeFile();
    const { stream: body, body: { finish }, state } = stream(file);
    finish();
    finish();
    assert.deepEqual([file.closed, state.released], [1, 1]);
    await assert.rejects(new Response(body).arrayBuffer());
    assert.deepEqual([file.closed, state.released], [1, 1]);
  });

  it("ends the body when the response is wrapped", async () => {
    const file = fakeFile();
    const { stream: body, state } = stream(file);
    const inner = new Response(body);
    const outer = new Response(inner.body?.pipeThrough(new TransformStream()), inner);
    assert.equal((await outer.arrayBuffer()).byteLength, SIZE);
    assert.deepEqual([file.closed, state.released], [1, 1]);
  });

  it("gives all back when the body is forgotten", { timeout: 20_000 }, async () => {
    const collect = collector();
    const file = fakeFile();
    const { state } = forgetOne(file);
    const deadline = Date.now() + 10_000;
    while (state.released === 0) {
      assert.ok(Date.now() < deadline, "the body was not collected");
      collect();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.deepEqual([file.closed, state.released], [1, 1]);
  });
});

/** Makes a response in a frame of its own, so that no variable keeps it. */
function forgetOne(file: OpenedFile): { state: { released: number } } {
  const { stream: body, state } = stream(file);
  new Response(body);
  return { state };
}

/** Runs the garbage collector of this runtime. */
function collector(): () => void {
  const { Bun } = globalThis as { Bun?: { gc(force: boolean): void } };
  if (Bun !== undefined) return () => Bun.gc(true);
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
