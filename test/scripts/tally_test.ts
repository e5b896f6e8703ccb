import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { addTallies, readSkips, readTally } from "../../scripts/gate/tally.ts";

const NODE = `hello 3 pass
▶ outer
  ✔ x passes (1.076191ms)
  ﹣ y is skipped (0.311368ms) # no browser: install it
✔ outer (3.320528ms)
﹣ plain skip (0.2ms)
✖ bad (1.3ms)
ℹ tests 4
ℹ suites 1
ℹ pass 1
ℹ fail 1
ℹ cancelled 1
ℹ skipped 2
ℹ todo 0
ℹ duration_ms 23.879927
`;

const BUN = `bun test v1.4.5

a_test.ts:
(pass) outer > x passes [2.16ms]
(skip) outer > y is skipped
hello 3 pass
(fail) bad [0.20ms]

 1 pass
 1 skip
 1 fail
Ran 3 tests across 1 file. [94.00ms]
`;

const DENO = `running 4 tests from ./a_test.ts
outer ...
  inner ...
    x passes ... ok (1ms)
  inner ... ok (1ms)
  y is skipped ... ignored (0ms)
outer ... ok (4ms)
t ...
------- output -------
hello 3 passed
----- output end -----
t ... ok (1ms)
bad ... FAILED (1ms)

FAILED | 2 passed (2 steps) | 1 failed | 0 ignored (1 step) (17ms)
`;

describe("readTally()", () => {
  it("counts Node's cancelled tests as failed", () => {
    assert.deepEqual(readTally("node", NODE), { passed: 1, failed: 2, skipped: 2 });
  });

  it("reads Bun's closing lines, not what a test printed", () => {
    assert.deepEqual(readTally("bun", BUN), { passed: 1, failed: 1, skipped: 1 });
  });

  it("counts the leaves of Deno's suites", () => {
    assert.deepEqual(readTally("deno", DENO), { passed: 2, failed: 1, skipped: 1 });
  });

  it("counts a failed hook of Deno's, whose tests all pass, as one failure", () => {
    const output = "suite ...\n  x ... ok (1ms)\nsuite ... FAILED (2ms)\n\n" +
      "FAILED | 0 passed (1 step) | 1 failed (9ms)\n";
    assert.deepEqual(readTally("deno", output), { passed: 1, failed: 1, skipped: 0 });
  });

  it("is undefined when a runner broke off before its closing lines", () => {
    assert.equal(readTally("node", "✔ x (1ms)\n"), undefined);
    assert.equal(readTally("bun", "(pass) x\n"), undefined);
    assert.equal(readTally("deno", "x ... ok (1ms)\n"), undefined);
  });
});

describe("readSkips()", () => {
  it("gives Node's reasons and the others' names", () => {
    assert.deepEqual(readSkips("node", NODE), [
      "y is skipped: no browser: install it",
      "plain skip",
    ]);
    assert.deepEqual(readSkips("bun", BUN), ["outer > y is skipped"]);
    assert.deepEqual(readSkips("deno", DENO), ["y is skipped"]);
  });
});

describe("addTallies()", () => {
  it("adds up field by field", () => {
    const sum = addTallies([
      { passed: 1, failed: 2, skipped: 3 },
      { passed: 10, failed: 20, skipped: 30 },
    ]);
    assert.deepEqual(sum, { passed: 11, failed: 22, skipped: 33 });
  });
});
