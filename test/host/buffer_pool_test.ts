import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BufferPool, LARGE_PIECE_BYTES, PIECE_BYTES } from "../../src/host/buffer_pool.ts";

describe("BufferPool", () => {
  it("take() gives a buffer that is large enough, up to a large piece", () => {
    const pool = new BufferPool();
    for (const wanted of [1, 8192, 8193, 65536, PIECE_BYTES, PIECE_BYTES + 1, LARGE_PIECE_BYTES]) {
      assert.ok(pool.take(wanted).length >= wanted, `for ${wanted}`);
    }
    assert.equal(pool.take(LARGE_PIECE_BYTES + 1).length, LARGE_PIECE_BYTES);
  });

  it("take() gives again what was given back clean, and nothing else", () => {
    const pool = new BufferPool();
    const [one, other] = [pool.take(PIECE_BYTES), pool.take(PIECE_BYTES)];
    assert.notEqual(one, other);
    pool.give(one, false);
    pool.give(other);
    assert.equal(pool.take(PIECE_BYTES), other);
    assert.notEqual(pool.take(PIECE_BYTES), one);
  });

  it("take() bounds the large pieces in use and counts them all", () => {
    const pool = new BufferPool();
    const taken = Array.from({ length: 40 }, () => pool.take(LARGE_PIECE_BYTES));
    assert.equal(pool.pieces, 40);
    assert.equal(taken.filter(({ length }) => length === LARGE_PIECE_BYTES).length, 16);
    taken.forEach((buffer) => pool.give(buffer));
    assert.equal(pool.pieces, 0);
    assert.equal(pool.take(LARGE_PIECE_BYTES).length, LARGE_PIECE_BYTES);
  });
});
