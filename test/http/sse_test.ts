import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EventFrame, eventStreamResponse, type FrameSource } from "../../src/http/sse.ts";

async function* framesOf(...frames: EventFrame[]): AsyncGenerator<EventFrame> {
  yield* frames;
}

const silent = (signal: AbortSignal): AsyncIterable<EventFrame> => ({
  // deno-lint-ignore require-yield
  async *[Symbol.asyncIterator]() {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  },
});

describe("eventStreamResponse()", () => {
  it("sends each frame and ends when the frames do", async () => {
    const response = eventStreamResponse(() =>
      framesOf({ event: "a", id: "1", data: "{}" }, { event: "b", data: "x" })
    );
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    assert.equal(await response.text(), "id: 1\nevent: a\ndata: {}\n\nevent: b\ndata: x\n\n");
  });

  it("begins with a comment when there is nothing to say yet, and only then", async () => {
    let tell = (_frame: EventFrame) => {};
    const told = new Promise<EventFrame>((resolve) => tell = resolve);
    const late = eventStreamResponse(async function* () {
      yield await told;
    }).body!.pipeThrough(new TextDecoderStream()).getReader();
    assert.equal((await late.read()).value, ": open\n\n");
    tell({ event: "a", data: "1" });
    assert.equal((await late.read()).value, "event: a\ndata: 1\n\n");
    assert.equal((await late.read()).done, true);
  });

  it("sends heartbeats while there is nothing to say", async () => {
    const reader = eventStreamResponse(silent, { heartbeatMs: 5 }).body?.getReader();
    assert.ok(reader !== undefined);
    for (const comment of ["open", "heartbeat", "heartbeat"]) {
      const read: ReadableStreamReadResult<Uint8Array> = await reader.read();
      assert.equal(new TextDecoder().decode(read.value), `: ${comment}\n\n`);
    }
    await reader.cancel();
  });

  it("aborts the signal and ends the frames when the client goes", async () => {
    let ended = false;
    let aborted = false;
    const response = eventStreamResponse((signal) => {
      signal.addEventListener("abort", () => aborted = true);
      return {
        async *[Symbol.asyncIterator]() {
          try {
            yield { event: "a", data: "1" };
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
          } finally {
            ended = true;
          }
        },
      };
    });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    assert.equal(aborted, true);
    assert.equal(ended, true);
  });

  it("breaks the stream when the frames fail", async () => {
    const response = eventStreamResponse(() => ({
      // deno-lint-ignore require-yield
      async *[Symbol.asyncIterator]() {
        throw new Error("gone");
      },
    }));
    await assert.rejects(response.text());
  });
});

describe("eventStreamResponse() of a source that tells what is there already", () => {
  it("sends frames that are there together in one piece, in order, and no more than fits", async () => {
    const waiting: EventFrame[] = [];
    const fill = (count: number, data: string) => {
      for (let index = 0; index < count; index++) {
        waiting.push({ event: "e", id: String(waiting.length + 1), data });
      }
    };
    fill(3, "x");
    const source: FrameSource = {
      next: () => {
        const value = waiting.shift();
        return Promise.resolve(
          value === undefined ? { done: true, value: undefined } : { done: false, value },
        );
      },
      poll: () => waiting.shift() ?? null,
      [Symbol.asyncIterator]: () => source,
    };
    const reader = eventStreamResponse(() => source).body?.getReader();
    const read = async () => new TextDecoder().decode((await reader?.read())?.value);
    const three = await read();
    assert.deepEqual(three.match(/^id: .*$/gm), ["id: 1", "id: 2", "id: 3"]);
    assert.equal(three.length, 3 * "id: 1\nevent: e\ndata: x\n\n".length);
    await reader?.cancel();

    fill(30, "y".repeat(10_000));
    const large = eventStreamResponse(() => source).body?.getReader();
    const first = (await large?.read())?.value;
    assert.ok(first !== undefined && first.byteLength > 60_000 && first.byteLength < 80_000);
    await large?.cancel();
  });
});
