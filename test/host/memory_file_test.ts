import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MemoryFile } from "../../src/host/memory_file.ts";
import type { FileStat, OpenedFile } from "../../src/host/types.ts";
import { readSteadily } from "../../src/http/steady_file.ts";

const STAT = { size: 100, mtimeMs: 1, ctimeMs: 1 } as FileStat;

/** The memory that the next range of this size gets; it is given back at once. */
function nextMemory(): ArrayBufferLike {
  const file = new MemoryFile(STAT, 0, 100);
  const { buffer } = file.bytes;
  file.close();
  return buffer;
}

/** A file of zeros. */
function fakeFile(parts: Partial<OpenedFile>): OpenedFile {
  return {
    stat: STAT,
    refresh: () => {},
    read: () => Promise.reject(new Error("not asked for")),
    readSync: (view) => view.fill(0).byteLength,
    statNow: () => STAT,
    close: () => {},
    ...parts,
  };
}

describe("MemoryFile", () => {
  it("close() gives the buffer of a range that wasn't sent back, once", () => {
    const file = new MemoryFile(STAT, 0, 100);
    const { buffer } = file.bytes;
    assert.notEqual(nextMemory(), buffer);
    file.close();
    file.close();
    const [one, other] = [new MemoryFile(STAT, 0, 100), new MemoryFile(STAT, 0, 100)];
    assert.equal(one.bytes.buffer, buffer);
    assert.notEqual(other.bytes.buffer, buffer);
    one.close();
    other.close();
  });

  it("close() leaves what frame() gave to whoever sends it", () => {
    const file = new MemoryFile(STAT, 0, 100);
    const { buffer } = file.bytes;
    const framed = file.frame("head");
    assert.equal(framed?.piece.length, 104);
    assert.equal(file.frame("head"), null);
    file.close();
    assert.notEqual(nextMemory(), buffer);
    framed.giveBack();
    assert.equal(nextMemory(), buffer);
  });

  it("frame() refuses a head that is too long, and the range stays readable", () => {
    const file = new MemoryFile(STAT, 10, 20);
    file.bytes.fill(7);
    assert.equal(file.frame("x".repeat(2049)), null);
    const view = new Uint8Array(20);
    assert.equal(file.readSync(view, 15), 5);
    assert.deepEqual([...view.subarray(0, 6)], [7, 7, 7, 7, 7, 0]);
    assert.equal(file.frame("x".repeat(2048))?.piece.length, 2058);
  });
});

describe("readSteadily()", () => {
  for (
    const [what, parts] of Object.entries({
      "a file that has become shorter": { readSync: () => 0 },
      "a file that was rewritten": { statNow: () => ({ ...STAT, mtimeMs: 2 }) },
      "a file that can't be read": {
        readSync: () => {
          throw new Error("no disk");
        },
      },
    })
  ) {
    it(`keeps no buffer for ${what}`, () => {
      const before = nextMemory();
      try {
        assert.equal(readSteadily(fakeFile(parts), 0, 100), null);
      } catch (error) {
        assert.match(String(error), /no disk/);
      }
      assert.equal(nextMemory(), before);
    });
  }

  it("copy() gives the same range for another answer, until it was sent or closed", () => {
    const file = new MemoryFile(STAT, 10, 14);
    file.bytes.set([1, 2, 3, 4]);
    assert.equal(file.copy(10, 13), null);
    const copy = file.copy(10, 14);
    file.bytes.fill(9);
    assert.deepEqual([...copy?.bytes ?? []], [1, 2, 3, 4]);
    file.frame("head")?.giveBack();
    assert.equal(file.copy(10, 14), null);
    copy?.close();
    assert.equal(copy?.copy(10, 14), null);
  });
});
