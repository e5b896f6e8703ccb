import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { createLineWriter, type LineWriter } from "../../src/observe/line_writer.ts";
import { until } from "../support/until.ts";

describe("createLineWriter()", () => {
  let writes: string[];
  /** What the output does with a write. */
  let take: () => Promise<void>;
  let writer: LineWriter;

  beforeEach(() => {
    writes = [];
    take = () => Promise.resolve();
    writer = createLineWriter({
      write: async (bytes) => {
        await take();
        writes.push(new TextDecoder().decode(bytes));
      },
      limit: 100,
      delayMs: 1,
      retryMs: 1,
      droppedLine: (count) => `dropped ${count}\n`,
    });
  });

  it("writes lines in order, many at a time", async () => {
    for (let index = 0; index < 20; index++) writer.write(`${index}\n`);
    await writer.flush();
    assert.equal(writes.length, 1);
    assert.equal(writes[0], Array.from({ length: 20 }, (_, index) => `${index}\n`).join(""));
    writer.write("later\n");
    await until(() => writes.length === 2);
    assert.equal(writes[1], "later\n");
    assert.equal(writer.dropped, 0);
  });

  it("drops what finds no room while the output stalls, and says how much", async () => {
    let goOn: (() => void) | undefined;
    take = () => new Promise((resolve) => goOn = resolve);
    writer.write("a".repeat(59) + "\n");
    await until(() => goOn !== undefined);
    for (let index = 0; index < 10; index++) writer.write("b".repeat(9) + "\n");
    assert.equal(writer.dropped, 6);
    take = () => Promise.resolve();
    goOn?.();
    await writer.flush();
    assert.equal(writes.length, 2);
    assert.equal(writes[1], ("b".repeat(9) + "\n").repeat(4) + "dropped 6\n");
    writer.write("c\n");
    await writer.flush();
    assert.equal(writes[2], "c\n");
  });

  it("never takes a line that is longer than its bound", async () => {
    writer.write("x".repeat(101));
    await writer.flush();
    assert.deepEqual([writes, writer.dropped], [[], 1]);
  });

  it("goes on after writes that failed, and counts what they lost", async () => {
    take = () => Promise.reject(new Error("ENOSPC"));
    writer.write("a\n");
    writer.write("b\n");
    await writer.flush();
    assert.deepEqual([writes, writer.dropped], [[], 2]);
    take = () => Promise.resolve();
    writer.write("c\n");
    await writer.flush();
    assert.deepEqual(writes, ["c\ndropped 2\n"]);
    assert.equal(writer.dropped, 2);
  });

  it("throws nothing where the output throws at once", async () => {
    take = () => {
      throw new Error("closed");
    };
    writer.write("a\n");
    await writer.flush();
    assert.equal(writer.dropped, 1);
  });
});
