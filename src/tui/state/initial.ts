/**
 * The state before anything has happened.
 *
 * @module
 */

import { EMPTY_EDITOR } from "../editor/editor.ts";
import { EMPTY_HISTORY } from "../editor/history.ts";
import type { TuiState, View, ViewKind } from "./types.ts";

/** What is known from the start. */
export interface Beginning {
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
  readonly target: TuiState["target"];
  readonly clientVersion: string;
}

/** A view at its resting place. */
export function viewOf(kind: ViewKind, subject: string | null = null): View {
  return { kind, chosen: null, scroll: 0, subject };
}

/** The messages of an agent that nothing is known of yet. */
export const NO_MESSAGES: Pick<TuiState, "messages" | "messagesState"> = {
  messages: [],
  messagesState: { loaded: false, dirty: false, asked: false, askedAt: -Infinity },
};

/** The state to begin with. */
export function initialState(beginning: Beginning): TuiState {
  return {
    ...beginning,
    ...NO_MESSAGES,
    server: null,
    link: { kind: "bootstrapping", since: beginning.now },
    generation: 0,
    heardAt: null,
    list: { freshAt: null, failure: null },
    agents: [],
    agent: null,
    runner: null,
    queue: null,
    apps: [],
    events: [],
    eventCount: 0,
    position: null,
    outbox: [],
    view: viewOf("activity"),
    filter: "",
    detail: null,
    editor: EMPTY_EDITOR,
    history: EMPTY_HISTORY,
    notice: null,
    prefix: false,
    leaving: false,
  };
}
