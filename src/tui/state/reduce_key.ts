/**
 * What keys do.
 *
 * @module
 */

import { parseLine } from "../commands/catalog.ts";
import { complete } from "../commands/complete.ts";
import {
  backspace,
  cut,
  deleteForward,
  type Editor,
  EMPTY_EDITOR,
  endsInBackslash,
  insert,
  MAX_TEXT,
  type Motion,
  move,
  withText,
  yank,
} from "../editor/editor.ts";
import { remember, step } from "../editor/history.ts";
import { refresh } from "./connection.ts";
import type { Key, Reduced } from "./events.ts";
import { viewOf } from "./initial.ts";
import { hasRoom, post } from "./outbox.ts";
import { enterRow, leave, runCommand, say, show } from "./reduce_command.ts";
import { chosenId, namesOf, rowIds } from "./selectors.ts";
import type { TuiState } from "./types.ts";

/** What the reducer takes from outside. */
export interface ReduceEnvironment {
  /** A name for a text that is sent, which no other has. */
  newKey(): string;
}

/** The letters behind Ctrl+O. */
export const SHORTCUTS: Readonly<Record<string, string>> = {
  a: "/agents",
  c: "/clear-status",
  e: "/events",
  h: "/help",
  m: "/messages",
  o: "/open",
  p: "/apps",
  q: "/qr",
  r: "/refresh",
  s: "/state",
  x: "/quit",
};

/** Typed characters. */
export function reduceText(state: TuiState, text: string): Reduced<TuiState> {
  if (!state.prefix) return only(edit(state, insert(state.editor, text)));
  const [letter = "", ...rest] = text;
  const { state: next, effects } = shortcut({ ...state, prefix: false }, letter.toLowerCase());
  const more = rest.join("");
  return { state: more === "" ? next : edit(next, insert(next.editor, more)), effects };
}

/** Pasted text: nothing in it acts as a key. */
export function reducePaste(state: TuiState, text: string): Reduced<TuiState> {
  const editor = insert(state.editor, text);
  const next = edit({ ...state, prefix: false }, editor);
  return only(
    editor.text.length >= MAX_TEXT
      ? say(next, "bad", `Only the first ${MAX_TEXT} characters fit; the rest was left out.`)
      : next,
  );
}

/** A key that is no text. */
export function reduceKey(
  state: TuiState,
  key: Key,
  environment: ReduceEnvironment,
): Reduced<TuiState> {
  if (state.prefix) {
    const next = { ...state, prefix: false };
    if (key.name === "letter" && key.letter !== undefined && key.letter !== "o") {
      return key.letter === "c" ? leave(next) : shortcut(next, key.letter);
    }
    return only(next);
  }
  if (key.name === "letter") return chord(state, key);
  switch (key.name) {
    case "enter":
      return enter(state, key, environment);
    case "escape":
      return only(dismiss(state));
    case "tab":
      return only(edit(state, withText(state.editor, complete(state.editor.text, namesOf(state)))));
    case "up":
    case "down":
      return only(vertical(state, key.name));
    case "pageup":
    case "pagedown":
      return only(scroll(state, key.name === "pageup" ? page(state) : -page(state)));
    case "backspace":
      return only(
        edit(
          state,
          key.alt === true || key.ctrl === true
            ? cut(state.editor, "wordBefore")
            : backspace(state.editor),
        ),
      );
    case "delete":
      return only(edit(state, deleteForward(state.editor)));
    case "left":
    case "right":
    case "home":
    case "end":
      return only(go(state, motionOf(key.name, key.alt === true || key.ctrl === true)));
  }
}

function chord(state: TuiState, { letter = "", ctrl, alt }: Key): Reduced<TuiState> {
  const { editor } = state;
  if (alt === true) {
    switch (letter) {
      case "b":
        return only(go(state, "wordLeft"));
      case "f":
        return only(go(state, "wordRight"));
      case "d":
        return only(edit(state, cut(editor, "wordBehind")));
      default:
        // Esc and a letter behind it look the same when they come together.
        return only(edit(dismiss(state), insert(dismiss(state).editor, letter)));
    }
  }
  if (ctrl !== true) return only(state);
  switch (letter) {
    case "c":
      return leave(state);
    case "d":
      return editor.text === "" ? leave(state) : only(edit(state, deleteForward(editor)));
    case "o":
      return only({ ...state, prefix: true });
    case "a":
      return only(go(state, "lineStart"));
    case "e":
      return only(go(state, "lineEnd"));
    case "b":
      return only(go(state, "left"));
    case "f":
      return only(go(state, "right"));
    case "p":
      return only(vertical(state, "up"));
    case "n":
      return only(vertical(state, "down"));
    case "h":
      return only(edit(state, backspace(editor)));
    case "j":
      return only(edit(state, insert(editor, "\n")));
    case "k":
      return only(edit(state, cut(editor, "toLineEnd")));
    case "u":
      return only(edit(state, cut(editor, "toLineStart")));
    case "w":
      return only(edit(state, cut(editor, "wordBefore")));
    case "y":
      return only(edit(state, yank(editor)));
    case "r":
      return refresh(state, "asked for");
    default:
      return only(state);
  }
}

function shortcut(state: TuiState, letter: string): Reduced<TuiState> {
  if (letter === "f") return only(edit(state, withText(state.editor, "/search ")));
  const command = SHORTCUTS[letter];
  if (command === undefined) {
    return only(say(state, "bad", `Ctrl+O ${letter.slice(0, 8)} means nothing; Ctrl+O H helps.`));
  }
  return runCommand(state, command, "");
}

function enter(
  state: TuiState,
  { alt, shift }: Key,
  { newKey }: ReduceEnvironment,
): Reduced<TuiState> {
  const { editor } = state;
  if (alt === true || shift === true) return only(edit(state, insert(editor, "\n")));
  if (endsInBackslash(editor)) {
    return only(edit(state, insert(backspace(editor), "\n")));
  }
  if (editor.text.trim() === "") return enterRow(state);
  const parsed = parseLine(editor.text);
  if (parsed.kind === "wrong") return only(say(state, "bad", parsed.sentence));
  const done: TuiState = {
    ...state,
    editor: { ...EMPTY_EDITOR, cut: editor.cut },
    history: remember(state.history, editor.text),
    // What was found out about the server stays until it is dismissed.
    notice: state.notice?.tone === "info" ? state.notice : null,
    leaving: false,
  };
  if (parsed.kind === "command") {
    const cleared = { ...done, notice: null, leaving: state.leaving };
    return runCommand(cleared, parsed.name, parsed.argument);
  }
  if (!hasRoom(state)) {
    return only(say(state, "bad", "Too many messages wait to be sent; this text stays here."));
  }
  const item = { key: newKey(), agent: state.agent, text: parsed.text };
  const { state: next, effects } = post(done, item);
  const view = next.view.kind === "activity" ? viewOf("activity") : next.view;
  return { state: { ...next, view }, effects };
}

/** Esc takes away what was opened last. */
function dismiss(state: TuiState): TuiState {
  const { view } = state;
  if (state.editor.text.startsWith("/")) return edit(state, withText(state.editor, ""));
  if (state.filter !== "") return { ...state, filter: "", view: viewOf(view.kind) };
  if (view.kind === "message") return show(state, "messages");
  if (view.kind === "qr") return show(state, "apps");
  if (view.kind !== "activity") return show(state, "activity");
  if (view.scroll > 0) return { ...state, view: viewOf("activity") };
  return { ...state, notice: null, leaving: false };
}

/** Between the lines of the text, then through a list, or what was sent before. */
function vertical(state: TuiState, direction: "down" | "up"): TuiState {
  const ids = rowIds(state);
  if (state.editor.text === "" && ids.length > 0) return choose(state, ids, direction);
  if (state.editor.text === "" && ["help", "message", "state"].includes(state.view.kind)) {
    return scroll(state, direction === "up" ? 1 : -1);
  }
  const moved = move(state.editor, direction);
  if (moved !== state.editor) return { ...state, editor: moved };
  const stepped = step(
    state.history,
    direction === "up" ? "older" : "newer",
    state.editor.text,
  );
  if (stepped === null) return state;
  return {
    ...state,
    history: stepped.history,
    editor: withText(state.editor, stepped.text),
  };
}

function choose(state: TuiState, ids: readonly string[], direction: "down" | "up"): TuiState {
  const at = ids.indexOf(chosenId(state) ?? "");
  const next = Math.max(0, Math.min(ids.length - 1, at + (direction === "up" ? -1 : 1)));
  return { ...state, view: { ...state.view, chosen: ids[next] ?? null } };
}

/** Rows up; views know where their end is. In a list, the choice moves. */
function scroll(state: TuiState, rows: number): TuiState {
  const ids = rowIds(state);
  if (ids.length > 0) {
    const at = ids.indexOf(chosenId(state) ?? "");
    const next = Math.max(0, Math.min(ids.length - 1, at - rows));
    return { ...state, view: { ...state.view, chosen: ids[next] ?? null } };
  }
  // Activity and events rest at their end, texts at their beginning.
  const sign = ["activity", "events"].includes(state.view.kind) ? 1 : -1;
  const most = 10_000;
  const to = Math.max(0, Math.min(most, state.view.scroll + sign * rows));
  return { ...state, view: { ...state.view, scroll: to } };
}

function page(state: TuiState): number {
  return Math.max(1, state.rows - 6);
}

function motionOf(name: "end" | "home" | "left" | "right", word: boolean): Motion {
  switch (name) {
    case "left":
      return word ? "wordLeft" : "left";
    case "right":
      return word ? "wordRight" : "right";
    case "home":
      return "lineStart";
    case "end":
      return "lineEnd";
  }
}

function go(state: TuiState, motion: Motion): TuiState {
  return { ...state, editor: move(state.editor, motion) };
}

function edit(state: TuiState, editor: Editor): TuiState {
  return editor === state.editor ? state : { ...state, editor, leaving: false };
}

function only(state: TuiState): Reduced<TuiState> {
  return { state, effects: [] };
}
