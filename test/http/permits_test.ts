import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPermits } from "../../src/http/permits.ts";

describe("createPermits()", () => {
  it("gives out as many as there are and takes each back once", () => {
    const permits = createPermits(2);
    const first = permits.tryAcquire();
    const second = permits.tryAcquire();
    assert.ok(first !== null && second !== null);
    assert.equal(permits.tryAcquire(), null);
    assert.equal(permits.refused, 1);
    first();
    first();
    assert.equal(permits.free, 1);
    second();
    assert.equal(permits.free, permits.limit);
    assert.equal(permits.refused, 1);
  });

  it("has 16 by default", () => {
    assert.equal(createPermits().limit, 16);
  });
});
