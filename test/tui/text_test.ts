import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  cellWidth,
  graphemes,
  nextBoundary,
  previousBoundary,
  snapForward,
} from "../../src/tui/text/graphemes.ts";
import {
  cutLine,
  cutText,
  fillLine,
  lineWidth,
  span,
  spread,
  wrapText,
} from "../../src/tui/text/line.ts";
import { safeLine, safeLines } from "../../src/tui/text/sanitise.ts";
import { paint, themeFor } from "../../src/tui/text/theme.ts";

// deno-lint-ignore no-control-regex
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200c\u202a-\u202e\u2066-\u2069\u2028\u2029]/;

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.constantFrom(
    "\u001b[2J\u001b[1;1Hgone",
    "\u001b]0;title\u0007",
    "\u001b]52;c;aGk=\u0007",
    "\u009b31mred",
    "\u202etxt.exe",
    `z${"\u0301".repeat(500)}`,
    "\ud800",
    "a\u{e0041}\u{e0042}",
    "bell\u0007\b\b\b",
    "one\r\ntwo\tthree",
  ),
);

describe("safeLine() and safeLines()", () => {
  it("let nothing through that steers a terminal", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const line of [safeLine(text), ...safeLines(text)]) {
          assert.doesNotMatch(line, CONTROLS);
          assert.ok(line.isWellFormed());
          for (const cluster of graphemes(line)) assert.ok(cluster.length <= 32);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("leave people's text as it is", () => {
    for (const text of ["plain", "naïve e\u0301", "漢字かな", "👨‍👩‍👧‍👦 🇩🇪 👍🏽", "שלום", "नमस्ते"]) {
      assert.equal(safeLine(text), text);
      assert.deepEqual(safeLines(text), [text]);
    }
    assert.deepEqual(safeLines("one\r\ntwo\rthree\n\tfour"), ["one", "two", "three", "  four"]);
    assert.equal(safeLine("one\n\ntwo"), "one two");
  });

  it("are bounded", () => {
    assert.equal(safeLine("x".repeat(10_000), 100).length, 100);
    assert.equal(safeLines("x".repeat(10_000), 100).join("").length, 101);
  });
});

describe("graphemes()", () => {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const unit = fc.oneof(
    fc.constantFrom(
      "a",
      "ß",
      "漢",
      "か",
      "\u3099",
      "\u0301",
      "\u200d",
      "\ufe0f",
      "©",
      "👩",
      "🇩",
      "\u0600",
      "1",
    ),
    fc.constantFrom(
      "\r",
      "\n",
      "각",
      "\u1100",
      "\u1161",
      "\u11a8",
      "क",
      "\u094d",
      "\u20e3",
      "\ud83d",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 2 }),
  );

  it("finds the clusters that Intl.Segmenter finds", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 20 }), (units) => {
        const text = units.join("");
        assert.deepEqual(graphemes(text), Array.from(segmenter.segment(text), (it) => it.segment));
      }),
      { numRuns: 2000 },
    );
  });

  it("steps over them, back and forth", () => {
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const text = units.join("").replaceAll("\r", "");
        const ends: number[] = [];
        for (const cluster of graphemes(text)) ends.push((ends.at(-1) ?? 0) + cluster.length);
        const steps: number[] = [];
        for (let at = 0; at < text.length;) steps.push(at = nextBoundary(text, at));
        assert.deepEqual(steps, ends);
        const back: number[] = [];
        for (let at = text.length; at > 0;) back.push(at = previousBoundary(text, at));
        assert.deepEqual(back, text === "" ? [] : [0, ...ends.slice(0, -1)].toReversed());
        for (let at = 0; at <= text.length; at++) {
          assert.equal(snapForward(text, at), at === 0 ? 0 : ends.find((end) => end >= at) ?? 0);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe("rows", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 30 }).map((it) => safeLine(it));
  const row = fc.array(text.map((it) => span(it, "dim")), { maxLength: 4 });
  const width = fc.integer({ min: 1, max: 40 });

  it("are cut and filled to a width", () => {
    fc.assert(
      fc.property(row, row, width, (left, right, cells) => {
        assert.ok(lineWidth(cutLine(left, cells)) <= cells);
        assert.equal(lineWidth(fillLine(left, cells)), cells);
        assert.equal(lineWidth(spread(left, right, cells)), cells);
      }),
    );
  });

  it("are wrapped without losing a word", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 30 }), (it, cells) => {
        const rows = wrapText(it, cells);
        for (const wrapped of rows) assert.ok(cellWidth(wrapped) <= cells, wrapped);
        assert.equal(rows.join("").replace(/ /g, ""), it.replace(/ /g, ""));
      }),
    );
    assert.deepEqual(wrapText("one two three", 8), ["one two", "three"]);
    assert.deepEqual(
      wrapText("one two three four", 8, 2).map(cellWidth).every((it) => it <= 8),
      true,
    );
  });

  it("say that something was cut", () => {
    assert.equal(cutText("abcdef", 4), "abc…");
    assert.equal(cutText("漢字漢字", 5), "漢字…");
    assert.equal(cutText("abc", 3), "abc");
  });
});

describe("paint()", () => {
  const row = [span("a", "bad"), span("b"), span("c", "bold")];

  it("gives colour, attributes, or nothing", () => {
    assert.match(paint(row, "colour"), /\[31ma/);
    assert.doesNotMatch(paint(row, "attributes"), /\[3\d/);
    assert.match(paint(row, "attributes"), /\[1mc/);
    assert.equal(paint(row, "plain"), "abc");
  });

  it("is decided by the environment", () => {
    assert.equal(themeFor({ TERM: "xterm-256color" }), "colour");
    assert.equal(themeFor({ TERM: "xterm-256color", NO_COLOR: "1" }), "attributes");
    assert.equal(themeFor({ TERM: "xterm-256color", NO_COLOR: "" }), "colour");
    assert.equal(themeFor({ TERM: "dumb" }), "plain");
    assert.equal(themeFor({}), "plain");
  });
});
