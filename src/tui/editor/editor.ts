/**
 * The line editor: text and a cursor that always stands between two grapheme clusters.
 *
 * @module
 */

import {
  cellWidth,
  graphemes,
  nextBoundary,
  previousBoundary,
  snapForward,
} from "../text/graphemes.ts";

/** The most UTF-16 units that it takes; the server takes 1 MiB of JSON. */
export const MAX_TEXT: number = 32_768;

/** Controls but the line end, and what turns the reading direction. */
const CONTROLS =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** What is being written. */
export interface Editor {
  readonly text: string;
  /** Index into the text, in UTF-16 units. */
  readonly cursor: number;
  /** What was cut last, for {@linkcode yank}. */
  readonly cut: string;
}

/** Nothing written yet. */
export const EMPTY_EDITOR: Editor = { text: "", cursor: 0, cut: "" };

/** An editor that holds a text, with the cursor behind it. */
export function withText(editor: Editor, text: string): Editor {
  return { ...editor, text, cursor: text.length };
}

/**
 * Inserts at the cursor, as much as there is room for. Line ends become `\n`, tabs blanks, other
 * control characters go.
 */
export function insert(editor: Editor, typed: string): Editor {
  const room = MAX_TEXT - editor.text.length;
  const added = cutAtCluster(clean(typed), room);
  if (added === "") return editor;
  const before = editor.text.slice(0, editor.cursor);
  const text = before + added + editor.text.slice(editor.cursor);
  return { ...editor, text, cursor: snapForward(text, before.length + added.length) };
}

/** Deletes the cluster before the cursor. */
export function backspace(editor: Editor): Editor {
  return remove(editor, previousBoundary(editor.text, editor.cursor), editor.cursor);
}

/** Deletes the cluster behind the cursor. */
export function deleteForward(editor: Editor): Editor {
  return remove(editor, editor.cursor, nextBoundary(editor.text, editor.cursor));
}

/** Where the cursor can go. */
export type Motion =
  | "down"
  | "left"
  | "lineEnd"
  | "lineStart"
  | "right"
  | "up"
  | "wordLeft"
  | "wordRight";

/** Moves the cursor. `up` and `down` give the same editor back where there is no such line. */
export function move(editor: Editor, motion: Motion): Editor {
  const cursor = target(editor, motion);
  return cursor === editor.cursor ? editor : { ...editor, cursor };
}

/** What can be cut. */
export type Stretch = "toLineEnd" | "toLineStart" | "wordBefore" | "wordBehind";

/** Cuts a stretch next to the cursor. */
export function cut(editor: Editor, stretch: Stretch): Editor {
  const { text, cursor } = editor;
  const [from, to] = stretch === "toLineEnd"
    // At the end of a line, the line end itself.
    ? [cursor, Math.max(lineEnd(text, cursor), text[cursor] === "\n" ? cursor + 1 : cursor)]
    : stretch === "toLineStart"
    ? [lineStart(text, cursor), cursor]
    : stretch === "wordBefore"
    ? [wordLeft(text, cursor), cursor]
    : [cursor, wordRight(text, cursor)];
  if (from === to) return editor;
  return { ...remove(editor, from, to), cut: text.slice(from, to) };
}

/** Inserts what was cut last. */
export function yank(editor: Editor): Editor {
  return insert(editor, editor.cut);
}

/** Whether Enter continues on a new line: a single backslash ends the text. */
export function endsInBackslash(editor: Editor): boolean {
  return editor.cursor === editor.text.length && /(?:^|[^\\])\\$/.test(editor.text);
}

function target(editor: Editor, motion: Motion): number {
  const { text, cursor } = editor;
  switch (motion) {
    case "left":
      return previousBoundary(text, cursor);
    case "right":
      return nextBoundary(text, cursor);
    case "lineStart":
      return lineStart(text, cursor);
    case "lineEnd":
      return lineEnd(text, cursor);
    case "wordLeft":
      return wordLeft(text, cursor);
    case "wordRight":
      return wordRight(text, cursor);
    case "up": {
      const start = lineStart(text, cursor);
      if (start === 0) return cursor;
      return atCell(text, lineStart(text, start - 1), cellWidth(text.slice(start, cursor)));
    }
    case "down": {
      const end = lineEnd(text, cursor);
      if (end === text.length) return cursor;
      return atCell(text, end + 1, cellWidth(text.slice(lineStart(text, cursor), cursor)));
    }
  }
}

/** The index in a line that is nearest to a cell, not beyond it. */
function atCell(text: string, start: number, cells: number): number {
  let index = start;
  let used = 0;
  for (const cluster of graphemes(text.slice(start, lineEnd(text, start)))) {
    used += cellWidth(cluster);
    if (used > cells) break;
    index += cluster.length;
  }
  return index;
}

function remove(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  const text = editor.text.slice(0, from) + editor.text.slice(to);
  // What was apart may have become one cluster.
  return { ...editor, text, cursor: snapForward(text, from) };
}

function lineStart(text: string, index: number): number {
  return index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
}

function lineEnd(text: string, index: number): number {
  const end = text.indexOf("\n", index);
  return end < 0 ? text.length : end;
}

function wordLeft(text: string, index: number): number {
  const before = text.slice(0, index);
  return snapForward(text, before.replace(/[^\s]*\s*$/u, "").length);
}

function wordRight(text: string, index: number): number {
  const [skipped = ""] = /^\s*[^\s]*/u.exec(text.slice(index)) ?? [];
  return snapForward(text, index + skipped.length);
}

function clean(typed: string): string {
  return typed.replace(/\r\n?/g, "\n").replace(/\t/g, "  ").replace(CONTROLS, "");
}

function cutAtCluster(text: string, room: number): string {
  if (text.length <= room) return text;
  // Somewhat more than fits, so that the cluster at the edge is seen whole.
  let end = 0;
  for (const cluster of graphemes(text.slice(0, room + 64))) {
    if (end + cluster.length > room) break;
    end += cluster.length;
  }
  return text.slice(0, end);
}
