import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  backspace,
  cut,
  deleteForward,
  type Editor,
  EMPTY_EDITOR,
  endsInBackslash,
  insert,
  MAX_TEXT,
  move,
  withText,
  yank,
} from "../../src/tui/editor/editor.ts";
import { layOut, visibleRows } from "../../src/tui/editor/layout.ts";
import { cellWidth, graphemes } from "../../src/tui/text/graphemes.ts";

const FAMILY = "👨‍👩‍👧‍👦";
const FLAG = "🇩🇪";
const ACCENT = "e\u0301";

/** Text that is hard to edit: clusters of several code points, wide ones, line ends. */
const typed = fc.oneof(
  fc.constantFrom(
    "a",
    " ",
    "\n",
    "\\",
    "é",
    ACCENT,
    "\u0301",
    "\u200d",
    "漢",
    FAMILY,
    "👍🏽",
    FLAG,
    "🇩",
  ),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);

const step = fc.oneof(
  { weight: 4, arbitrary: typed.map((text) => (editor: Editor) => insert(editor, text)) },
  fc.constantFrom<(editor: Editor) => Editor>(
    backspace,
    deleteForward,
    yank,
    (editor) => cut(editor, "toLineEnd"),
    (editor) => cut(editor, "toLineStart"),
    (editor) => cut(editor, "wordBefore"),
    (editor) => cut(editor, "wordBehind"),
  ),
  fc.constantFrom(
    ...(["down", "left", "lineEnd", "lineStart", "right", "up", "wordLeft", "wordRight"] as const)
      .map((motion) => (editor: Editor) => move(editor, motion)),
  ),
);

/** Every index at which a cluster begins or ends. */
function boundaries(text: string): ReadonlySet<number> {
  const found = new Set([0]);
  let index = 0;
  for (const cluster of graphemes(text)) found.add(index += cluster.length);
  return found;
}

const at = (text: string, cursor: number): Editor => ({ text, cursor, cut: "" });

describe("the line editor", () => {
  it("keeps the cursor between clusters, whatever is done", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let editor = EMPTY_EDITOR;
        for (const apply of steps) {
          editor = apply(editor);
          assert.ok(boundaries(editor.text).has(editor.cursor), JSON.stringify(editor));
          // deno-lint-ignore no-control-regex
          assert.doesNotMatch(editor.text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("takes away at once what looks like one character", () => {
    for (const cluster of ["a", "漢", ACCENT, FAMILY, FLAG, "👍🏽", "\n"]) {
      const text = `x${cluster}`;
      assert.equal(backspace(withText(EMPTY_EDITOR, text)).text, "x", cluster);
      assert.equal(deleteForward(at(`${cluster}y`, 0)).text, "y", cluster);
      assert.equal(move(withText(EMPTY_EDITOR, text), "left").cursor, 1, cluster);
      assert.equal(move(at(text, 1), "right").cursor, text.length, cluster);
    }
  });

  it("puts back what it cut", () => {
    const editor = withText(EMPTY_EDITOR, "one two");
    const without = cut(editor, "wordBefore");
    assert.equal(without.text, "one ");
    assert.equal(yank(without).text, "one two");
    assert.equal(cut(at("one\ntwo", 3), "toLineEnd").text, "onetwo");
    assert.equal(cut(at("one\ntwo", 5), "toLineStart").text, "one\nwo");
  });

  it("moves between lines by cells", () => {
    // Two wide characters are four cells.
    const text = "漢字x\nabcdef";
    assert.equal(move(at(text, 2), "down").cursor, text.indexOf("e"));
    assert.equal(move(at(text, text.indexOf("d")), "up").cursor, 1);
    const first = at(text, 1);
    assert.equal(move(first, "up"), first);
  });

  it("makes line ends of returns and leaves control characters out", () => {
    assert.equal(insert(EMPTY_EDITOR, "a\r\nb\rc\u001b[31md\u0000\te").text, "a\nb\nc[31md  e");
  });

  it("takes no more than it has room for, and no half of a character", () => {
    const full = insert(EMPTY_EDITOR, "x".repeat(MAX_TEXT - 3));
    assert.equal(insert(full, FAMILY).text.length, full.text.length);
    assert.equal(insert(full, "abcdef").text.length, MAX_TEXT);
    assert.equal(insert(EMPTY_EDITOR, "👍".repeat(MAX_TEXT)).text.length, MAX_TEXT);
  });

  it("continues on a new line behind a single backslash", () => {
    assert.equal(endsInBackslash(withText(EMPTY_EDITOR, "a\\")), true);
    assert.equal(endsInBackslash(withText(EMPTY_EDITOR, "a\\\\")), false);
    assert.equal(endsInBackslash(withText(EMPTY_EDITOR, "\\")), true);
    assert.equal(endsInBackslash(at("a\\", 0)), false);
  });
});

describe("layOut()", () => {
  it("shows all of the text in rows that fit, with the cursor on its cell", () => {
    fc.assert(
      fc.property(
        fc.array(typed, { maxLength: 12 }),
        fc.integer({ min: 2, max: 12 }),
        (parts, width) => {
          let editor = EMPTY_EDITOR;
          for (const part of parts) editor = insert(editor, part);
          for (const cursor of boundaries(editor.text)) {
            const { rows, row, cell } = layOut({ ...editor, cursor }, width);
            assert.equal(rows.join(""), editor.text.replaceAll("\n", ""));
            assert.ok(row < rows.length);
            assert.ok(cell < width, `${cell} of ${width}`);
            for (const it of rows) assert.ok(cellWidth(it) <= width, it);
            const before = editor.text.slice(0, cursor).replaceAll("\n", "");
            const part = before.slice(rows.slice(0, row).join("").length);
            assert.ok(rows[row]?.startsWith(part));
            assert.equal(cell, cellWidth(part));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("keeps the cursor's row in sight", () => {
    const editor = withText(
      EMPTY_EDITOR,
      Array.from({ length: 20 }, (_, i) => `line ${i}`).join("\n"),
    );
    const shown = visibleRows(layOut(editor, 40), 5);
    assert.deepEqual([shown.rows.length, shown.row, shown.above, shown.below], [5, 4, 15, 0]);
    const top = visibleRows(layOut({ ...editor, cursor: 0 }, 40), 5);
    assert.deepEqual([top.rows[0], top.row, top.above, top.below], ["line 0", 0, 0, 15]);
  });
});
