import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { combined, differenceOf, newestOf } from "../../../src/apps/reload/changes.ts";
import type { Snapshot } from "../../../src/apps/reload/snapshot.ts";

/** A snapshot of files by path, each with the time of its change. */
function snapshot(files: Readonly<Record<string, number>>): Snapshot {
  const marks = Object.entries(files).map(([path, changedMs]) =>
    [path, { mark: `1 ${changedMs}`, changedMs }] as const
  );
  return { files: new Map(marks), folders: new Map([["", "1:1"]]) };
}

describe("differenceOf()", () => {
  const before = snapshot({ "index.html": 1, "css/a.css": 2, "b.css": 3 });
  const cases: [what: string, after: Readonly<Record<string, number>>, expected: unknown][] = [
    ["nothing", { "index.html": 1, "css/a.css": 2, "b.css": 3 }, null],
    ["a changed page", { "index.html": 9, "css/a.css": 2, "b.css": 3 }, {
      change: { kind: "reload" },
      newestMs: 9,
    }],
    ["changed stylesheets", { "index.html": 1, "css/a.css": 7, "b.css": 8 }, {
      change: { kind: "style", paths: ["b.css", "css/a.css"] },
      newestMs: 8,
    }],
    ["a stylesheet and a page", { "index.html": 5, "css/a.css": 4, "b.css": 3 }, {
      change: { kind: "reload" },
      newestMs: 5,
    }],
    ["an added file", { "index.html": 1, "css/a.css": 2, "b.css": 3, "x.js": 4 }, {
      change: { kind: "reload" },
      newestMs: 4,
    }],
    ["a removed stylesheet", { "index.html": 1, "css/a.css": 2 }, {
      change: { kind: "reload" },
      newestMs: null,
    }],
    ["everything removed", {}, { change: { kind: "reload" }, newestMs: null }],
  ];
  for (const [what, after, expected] of cases) {
    it(`sees ${what}`, () => assert.deepEqual(differenceOf(before, snapshot(after)), expected));
  }

  it("takes many stylesheets at once for a reload", () => {
    const names = Array.from({ length: 40 }, (_, index) => `s${index}.css`);
    const at = (time: number) => snapshot(Object.fromEntries(names.map((name) => [name, time])));
    assert.deepEqual(differenceOf(at(1), at(2))?.change, { kind: "reload" });
  });
});

describe("combined()", () => {
  const style = (...paths: string[]) => ({ kind: "style", paths }) as const;
  it("joins stylesheets", () => {
    assert.deepEqual(combined(style("b.css", "a.css"), style("b.css", "c.css")), {
      kind: "style",
      paths: ["a.css", "b.css", "c.css"],
    });
  });
  it("is a reload if one of them is", () => {
    assert.deepEqual(combined(style("a.css"), { kind: "reload" }), { kind: "reload" });
    assert.deepEqual(combined({ kind: "reload" }, style("a.css")), { kind: "reload" });
  });
});

describe("newestOf()", () => {
  it("finds the newest change that is not in the future", () => {
    assert.equal(newestOf(snapshot({ a: 3, b: 7, c: 90 }), 10), 7);
    assert.equal(newestOf(snapshot({}), 10), 0);
  });
});
