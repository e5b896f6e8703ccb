/**
 * What the tab remembers across reloads: the draft, and what was sent. The page is loaded anew
 * whenever the agent changes one of its files, so nothing may live in variables alone.
 */

// Apps share an origin, and so its storage: the path keeps them apart.
const KEY = `form of ${location.pathname}`;

/** Older ones are forgotten. */
const KEPT = 20;

const EMPTY = {
  /** Field values by name; null where nothing was written yet. */
  draft: null,
  /** { key, body }: a try to send whose outcome is not known yet. */
  attempt: null,
  /** { messageId, title, state }, newest first. */
  sent: [],
  /** Number of the newest event seen: where the stream goes on. */
  last: 0,
};

/** The state, as it was left. Change it and call `save()`. */
export const state = { ...EMPTY, ...read() };

export function save() {
  state.sent.length = Math.min(state.sent.length, KEPT);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // Storage is full or forbidden: the form still works, without a memory.
  }
}

function read() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
