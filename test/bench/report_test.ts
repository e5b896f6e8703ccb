import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Measured } from "../../bench/measure.ts";
import { plot } from "../../bench/plot.ts";
import { type BenchReport, markdown } from "../../bench/report.ts";
import { median, type Sample, summarize } from "../../bench/sample.ts";

function sample(rate: number, p99: number | undefined = 1, failures = 0): Sample {
  return {
    requests: rate,
    requestsPerSecond: rate,
    bytes: rate * 1e6,
    bytesPerSecond: rate * 1e6,
    p99,
    failures,
    cpu: 0.5,
  };
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

const measured = (server: string, rate: number): Measured => ({
  row: "64 MiB, 1 connection",
  server,
  summary: summarize([sample(rate)]),
  peak: 42,
});
const rows = [measured("nginx", 800), measured("Holon, node", 600), measured("Holon, bun", 320)];

describe("markdown()", () => {
  it("puts each server beside nginx, with what makes the figures doubtful", () => {
    const report: BenchReport = {
      date: "2026-12-01T00:00:00.000Z",
      commit: "abc",
      machine: "2 × CPU",
      load: "0.00 0.00 0.00",
      versions: { nginx: "1.22", "Holon, node": "24.21.0" },
      client: "discard.c",
      rounds: 3,
      seconds: 2,
      remarks: ["Doubtful."],
      rows,
      scenarios: [{
        title: "Start to ready",
        server: "Holon, node",
        figures: { "ready ms": 250.4 },
        spread: { "ready ms": 3 },
      }],
      micro: [],
    };
    const text = markdown(report, "plot.svg");
    assert.match(text, /\*\*Doubtful\.\*\*/);
    assert.match(text, /^## 64 MiB, 1 connection$/m);
    assert.match(
      text,
      /^\| nginx \| 800 \| 800 \| 1\.00 \| 1\.00 \| 625 \| 0\.63 \| 42 \| 0 % \| 0 \|$/m,
    );
    assert.match(
      text,
      /^\| 64 MiB, 1 connection, × nginx \| 0\.75 \(≥ 0\.55\) \| \*\*0\.4 \(≥ 0\.5\)\*\* \| – \|$/m,
    );
    assert.match(text, /^\| Holon, node \| 600 \| 600 \| 0\.75 \|/m);
    assert.match(text, /^\| Holon, node \| 250 ±3 % \|$/m);
    assert.match(text, /!\[[^\]]+\]\(plot\.svg\)/);
  });
});

describe("plot()", () => {
  it("draws a bar for each server, to scale", () => {
    const widths = [...plot(rows).matchAll(/<rect x="\d+" [^>]*width="([\d.]+)"/g)].map(([, it]) =>
      Number(it)
    );
    assert.deepEqual(widths, [480, 360, 192]);
  });
});
