/**
 * What was sent before, to be called back with the arrow keys.
 *
 * @module
 */

/** The most entries that are kept. */
export const MAX_HISTORY: number = 100;

/** Entries and where in them one is. */
export interface History {
  /** Oldest first. */
  readonly entries: readonly string[];
  /** Index of the entry shown; `null` while the draft is. */
  readonly position: number | null;
  /** What was being written before an entry was called back. */
  readonly draft: string;
}

/** Nothing sent yet. */
export const EMPTY_HISTORY: History = { entries: [], position: null, draft: "" };

/** Adds an entry behind the others, but not the same twice in a row. */
export function remember(history: History, text: string): History {
  const { entries } = history;
  const all = text.trim() === "" || entries.at(-1) === text ? entries : [...entries, text];
  return { entries: all.slice(-MAX_HISTORY), position: null, draft: "" };
}

/** A step back or forth: the history, and the text to show; `null` where there is none. */
export function step(
  history: History,
  direction: "newer" | "older",
  current: string,
): { readonly history: History; readonly text: string } | null {
  const { entries, position } = history;
  const at = position ?? entries.length;
  const next = direction === "older" ? at - 1 : at + 1;
  if (next < 0 || next > entries.length || (position === null && direction === "newer")) {
    return null;
  }
  const draft = position === null ? current : history.draft;
  const shown = next === entries.length ? null : next;
  return {
    history: { entries, position: shown, draft },
    text: shown === null ? draft : entries[shown] ?? "",
  };
}
