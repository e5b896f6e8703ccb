import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exposition, histogramSamples } from "../../src/observe/exposition.ts";

describe("exposition()", () => {
  it("writes families with their help, type, labels and values", () => {
    const text = exposition([
      { name: "a_total", type: "counter", help: "A\\b\nc.", samples: [[{}, 1], [{ x: "1" }, 2.5]] },
      { name: "b", type: "gauge", help: "B.", samples: [[{ x: 'q"\\\n', y: "z" }, Infinity]] },
      { name: "c", type: "gauge", help: "C.", samples: [] },
    ]);
    assert.equal(
      text,
      [
        "# HELP a_total A\\\\b\\nc.",
        "# TYPE a_total counter",
        "a_total 1",
        'a_total{x="1"} 2.5',
        "# HELP b B.",
        "# TYPE b gauge",
        'b{x="q\\"\\\\\\n",y="z"} +Inf',
        "# HELP c C.",
        "# TYPE c gauge",
        "",
      ].join("\n"),
    );
  });
});

describe("histogramSamples()", () => {
  it("adds buckets up, and ends with sum and count", () => {
    assert.deepEqual(histogramSamples({ r: "x" }, [0.1, 1], [2, 3, 4], 9.5), [
      [{ r: "x", le: "0.1" }, 2, "_bucket"],
      [{ r: "x", le: "1" }, 5, "_bucket"],
      [{ r: "x", le: "+Inf" }, 9, "_bucket"],
      [{ r: "x" }, 9.5, "_sum"],
      [{ r: "x" }, 9, "_count"],
    ]);
  });
});
