import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findCycles } from "../../scripts/layers/cycles.ts";
import { scanSource } from "../../scripts/layers/source.ts";

function cyclesOf(files: Readonly<Record<string, string>>) {
  return findCycles(Object.entries(files).map(([path, text]) => scanSource(path, text)));
}

describe("findCycles()", () => {
  it("finds a circle over several folders, once", () => {
    const cycles = cyclesOf({
      "src/a.ts": `import { b } from "./x/b.ts";`,
      "src/x/b.ts": `import { c } from "../y/c.ts";\nimport { d } from "./d.ts";`,
      "src/y/c.ts": `export { b } from "../x/b.ts";`,
      "src/x/d.ts": ``,
    });
    assert.deepEqual(cycles, [["src/x/b.ts", "src/y/c.ts"]]);
  });

  it("finds a file that imports itself", () => {
    assert.deepEqual(cyclesOf({ "src/a.ts": `import "./a.ts";` }), [["src/a.ts"]]);
  });

  it("minds neither types nor files that two others share", () => {
    const cycles = cyclesOf({
      "src/a.ts": `import { b } from "./b.ts";\nimport { c } from "./c.ts";`,
      "src/b.ts": `import { c } from "./c.ts";\nimport type { A } from "./a.ts";`,
      "src/c.ts": `import { type A } from "./a.ts";`,
    });
    assert.deepEqual(cycles, []);
  });
});
