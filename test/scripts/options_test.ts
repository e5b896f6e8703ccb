import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readOptions } from "../../scripts/gate/options.ts";
import { STEPS } from "../../scripts/gate/plan.ts";
import { RUNTIMES } from "../../scripts/gate/tools.ts";

describe("readOptions()", () => {
  it("selects everything by default", () => {
    const options = readOptions([], {});
    assert.deepEqual(options.steps, STEPS);
    assert.deepEqual(options.runtimes, RUNTIMES);
    assert.deepEqual(options.filters, []);
    assert.equal(options.requireAll, false);
  });

  it("takes path parts as test files alone", () => {
    const options = readOptions(["--runtime", "bun,node", "./test/http/"], {});
    assert.deepEqual(options.steps, ["test"]);
    assert.deepEqual(options.runtimes, ["node", "bun"]);
    assert.deepEqual(options.filters, ["test/http/"]);
  });

  it("names what it does not know", () => {
    assert.throws(() => readOptions(["--only", "fmt,lnt"], {}), /"lnt".*fmt, lint/);
    assert.throws(() => readOptions(["--runtime", "perl"], {}), /"perl"/);
    assert.throws(() => readOptions(["--jobs", "0"], {}), /number from 1 up/);
    assert.throws(() => readOptions(["--fast"], {}), /--fast/);
  });

  it("lets nothing be skipped when the environment says so", () => {
    assert.equal(readOptions([], { HOLON_REQUIRE_ALL: "1" }).requireAll, true);
    assert.equal(readOptions([], { CI: "true" }).requireAll, true);
    assert.equal(readOptions([], { CI: "false" }).requireAll, false);
  });
});
