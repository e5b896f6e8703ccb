import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type BenchReport, markdown, type Row } from "../../bench/report.ts";
import { median, type Sample, summarize } from "../../bench/sample.ts";

function sample(rate: number, p99: number | undefined = 1, failures = 0): Sample {
  return { requestsPerSecond: rate, bytesPerSecond: rate * 1e6, p99, failures };
}

describe("median()", () => {
  it("takes the middle, of two the lower", () => {
    assert.equal(median([3, 1, 2]), 2);
    assert.equal(median([4, 1, 3, 2]), 2);
    assert.equal(median([5]), 5);
  });
});

describe("summarize()", () => {
  it("takes medians, the spread of the rates and the sum of the failures", () => {
    const summary = summarize([sample(90, 3, 1), sample(110, 1), sample(100, 2, 2)]);
    assert.equal(summary.requestsPerSecond, 100);
    assert.equal(summary.p99, 2);
    assert.equal(summary.failures, 3);
    assert.ok(Math.abs(summary.spread - 0.2) < 1e-9);
  });

  it("knows no percentile where no sample has one", () => {
    const none: Sample = { ...sample(1), p99: undefined };
    assert.equal(summarize([none]).p99, undefined);
  });
});

describe("markdown()", () => {
  it("puts each server beside nginx, with what makes the figures doubtful", () => {
    const row = (server: Row["server"], rate: number): Row => ({
      server,
      file: "64 MiB",
      connections: 1,
      client: "discard.c",
      summary: summarize([sample(rate)]),
      peak: 42,
    });
    const report: BenchReport = {
      date: "2026-12-01T00:00:00.000Z",
      commit: "abc",
      machine: "2 × CPU",
      load: "0.00 0.00 0.00",
      versions: { nginx: "1.22", node: "24.21.0" },
      rounds: 3,
      seconds: 2,
      remarks: ["Doubtful."],
      rows: [row("nginx", 2000), row("node", 1500)],
    };
    const text = markdown(report);
    assert.match(text, /\*\*Doubtful\.\*\*/);
    assert.match(text, /^## 64 MiB, 1 connection$/m);
    assert.match(text, /^\| nginx \| 2000 \| 2000 \| 1\.00 \| 1\.00 \| 42 \| 0 % \| 0 \|$/m);
    assert.match(text, /^\| Holon on node \| 1500 \| 1500 \| 0\.75 \|/m);
  });
});
