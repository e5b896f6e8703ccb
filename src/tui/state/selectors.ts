/**
 * What views and commands read out of the state.
 *
 * @module
 */

import type { Names } from "../commands/complete.ts";
import type { AgentRow, AppRow, EventRow, MessageRow, TuiState } from "./types.ts";

/** The agents that pass the filter. */
export function shownAgents(state: TuiState): readonly AgentRow[] {
  return passing(state, "agents", state.agents, (it) => [it.id, it.runner ?? "", it.problem ?? ""]);
}

/** The apps that pass the filter. */
export function shownApps(state: TuiState): readonly AppRow[] {
  return passing(
    state,
    "apps",
    state.apps,
    (it) => [it.id, it.name, it.description, it.problem ?? ""],
  );
}

/** The messages that pass the filter, newest first. */
export function shownMessages(state: TuiState): readonly MessageRow[] {
  return passing(state, "messages", state.messages, (it) => [
    it.id,
    it.status,
    it.origin,
    it.requestType ?? "",
    ...it.text,
    ...it.result,
  ]).toReversed();
}

/** The events that pass the filter, newest last. */
export function shownEvents(state: TuiState): readonly EventRow[] {
  return passing(state, "events", state.events, (it) => [it.type, it.messageId, it.origin]);
}

/** Ids of the rows of a list view, in the order shown; empty for other views. */
export function rowIds(state: TuiState): readonly string[] {
  switch (state.view.kind) {
    case "agents":
      return shownAgents(state).map((it) => it.id);
    case "apps":
      return shownApps(state).map((it) => it.id);
    case "messages":
      return shownMessages(state).map((it) => it.id);
    default:
      return [];
  }
}

/** The chosen row of a list view: the first, where none is chosen or the chosen one is gone. */
export function chosenId(state: TuiState): string | null {
  const ids = rowIds(state);
  const { chosen } = state.view;
  return chosen !== null && ids.includes(chosen) ? chosen : ids[0] ?? null;
}

/** The names that commands can take. */
export function namesOf(state: TuiState): Names {
  return {
    agent: state.agents.map((it) => it.id),
    app: state.apps.filter((it) => it.path !== null).map((it) => it.id),
    message: state.messages.map((it) => it.id).toReversed(),
  };
}

/** Where an app's page is, for this machine; `null` where the server doesn't say. */
export function appUrl(state: TuiState, app: AppRow): string | null {
  const base = state.target.url ?? state.server?.url ?? null;
  return base === null || app.path === null ? null : join(base, app.path);
}

/** Where an app's page is, for another device. */
export function sharedAppUrl(state: TuiState, app: AppRow): string | null {
  const base = state.target.url ?? state.server?.sharedUrl ?? state.server?.url ?? null;
  return base === null || app.path === null ? null : join(base, app.path);
}

function join(base: string, path: string): string {
  return URL.canParse(path) ? path : base + path;
}

function passing<T>(
  state: TuiState,
  view: TuiState["view"]["kind"],
  rows: readonly T[],
  texts: (row: T) => readonly string[],
): readonly T[] {
  if (state.filter === "" || state.view.kind !== view) return rows;
  const words = state.filter.toLowerCase().split(/\s+/);
  return rows.filter((row) => {
    const all = texts(row).join("\n").toLowerCase();
    return words.every((word) => all.includes(word));
  });
}
