/**
 * What a slash command does.
 *
 * @module
 */

import { refresh, switchAgent } from "./connection.ts";
import type { Effect, Reduced } from "./events.ts";
import { viewOf } from "./initial.ts";
import { dropFailed, unsent } from "./outbox.ts";
import { appUrl, chosenId } from "./selectors.ts";
import type { AppRow, Notice, TuiState, ViewKind } from "./types.ts";

/** Carries out a command of the catalogue. */
export function runCommand(state: TuiState, name: string, argument: string): Reduced<TuiState> {
  switch (name) {
    case "/agents":
    case "/apps":
    case "/messages":
    case "/events":
    case "/state":
    case "/help":
      return only(show(state, name.slice(1) as ViewKind));
    case "/agent switch":
      return chooseAgent(state, argument);
    case "/agent create":
      return createAgent(state, argument);
    case "/open":
      return withApp(state, argument, openApp);
    case "/qr":
      return withApp(state, argument, (next, app) => only(show(next, "qr", app.id)));
    case "/show":
      return withMessage(state, argument, showMessage);
    case "/cancel":
      return withMessage(state, argument, (next, message) => ({
        state: next,
        effects: [{ kind: "cancel", agent: next.agent ?? "", message }],
      }));
    case "/search":
      return only(search(state, argument));
    case "/refresh":
      return refresh({ ...state, notice: null }, "asked for");
    case "/clear-status":
      return only(dropFailed({ ...state, notice: null }));
    case "/quit":
      return leave(state);
    default:
      return only(state);
  }
}

/** Turns to a view, without a filter. */
export function show(state: TuiState, kind: ViewKind, subject: string | null = null): TuiState {
  return { ...state, view: viewOf(kind, subject), filter: "" };
}

/** Enter on a row of a list. */
export function enterRow(state: TuiState): Reduced<TuiState> {
  const id = chosenId(state);
  if (id === null) return only(state);
  switch (state.view.kind) {
    case "agents":
      return chooseAgent(state, id);
    case "apps":
      return withApp(state, id, openApp);
    case "messages":
      return showMessage(state, id);
    default:
      return only(state);
  }
}

/** Leaves; asks once more where texts would be lost. */
export function leave(state: TuiState): Reduced<TuiState> {
  const waiting = unsent(state);
  if (waiting === 0 || state.leaving) return { state, effects: [{ kind: "quit" }] };
  const what = waiting === 1 ? "A message is" : `${waiting} messages are`;
  const text = `${what} not with the server yet. Ctrl+C or /quit again leaves without.`;
  return only({ ...say(state, "bad", text), leaving: true });
}

/** Puts a sentence on the screen. */
export function say(state: TuiState, tone: Notice["tone"], text: string): TuiState {
  return { ...state, notice: { tone, text } };
}

function chooseAgent(state: TuiState, id: string): Reduced<TuiState> {
  const known = state.agents.some((it) => it.id === id);
  if (!known && state.list.freshAt !== null) {
    return only(say(state, "bad", `There is no agent ${id}. /agents lists them.`));
  }
  const { state: next, effects } = id === state.agent && state.link.kind !== "disconnected"
    ? only(state)
    : switchAgent(state, id);
  return { state: show(next, "activity"), effects };
}

function createAgent(state: TuiState, id: string): Reduced<TuiState> {
  if (!/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/.test(id)) {
    const text =
      "An agent's name has 1 to 128 letters, digits, dots, hyphens and underscores, and " +
      "no dot first.";
    return only(say(state, "bad", text));
  }
  return { state, effects: [{ kind: "create", agent: id }] };
}

function search(state: TuiState, words: string): TuiState {
  const searchable = ["agents", "apps", "events", "messages"].includes(state.view.kind);
  const shown = searchable ? state : show(state, "messages");
  return { ...shown, filter: words, view: viewOf(shown.view.kind) };
}

function withApp(
  state: TuiState,
  id: string,
  act: (state: TuiState, app: AppRow) => Reduced<TuiState>,
): Reduced<TuiState> {
  const sound = state.apps.filter((it) => it.path !== null);
  const meant = id !== ""
    ? id
    : state.view.kind === "apps"
    ? chosenId(state)
    : state.view.kind === "qr"
    ? state.view.subject
    : sound.length === 1
    ? sound[0]?.id
    : null;
  const app = state.apps.find((it) => it.id === meant);
  if (app === undefined) {
    const text = id !== ""
      ? `The agent has no app ${id}. /apps lists them.`
      : sound.length === 0
      ? "The agent has no apps yet."
      : "Which app? Give its id, or choose one in /apps.";
    return only(say(state, "bad", text));
  }
  if (app.path === null) {
    return only(say(state, "bad", `The app ${app.id} is broken: ${app.problem ?? "unknown why"}`));
  }
  return act(state, app);
}

function openApp(state: TuiState, app: AppRow): Reduced<TuiState> {
  const url = appUrl(state, app);
  if (url === null) {
    return only(say(state, "bad", "The server does not say at which address its pages are."));
  }
  return { state: say(state, "good", url), effects: [{ kind: "open", url }] };
}

function withMessage(
  state: TuiState,
  id: string,
  act: (state: TuiState, id: string) => Reduced<TuiState>,
): Reduced<TuiState> {
  const meant = id !== ""
    ? id
    : state.view.kind === "messages"
    ? chosenId(state)
    : state.view.kind === "message"
    ? state.view.subject
    : state.messages.at(-1)?.id ?? null;
  if (meant === null || state.agent === null) {
    return only(say(state, "bad", "There is no message yet."));
  }
  return act(state, meant);
}

function showMessage(state: TuiState, id: string): Reduced<TuiState> {
  const effect: Effect = { kind: "detail", agent: state.agent ?? "", message: id };
  return { state: { ...show(state, "message", id), detail: null }, effects: [effect] };
}

function only(state: TuiState): Reduced<TuiState> {
  return { state, effects: [] };
}
