/**
 * The lists: agents, apps, messages, events.
 *
 * @module
 */

import {
  chosenId,
  shownAgents,
  shownApps,
  shownEvents,
  shownMessages,
} from "../state/selectors.ts";
import type { TuiState } from "../state/types.ts";
import { column, type Line, span } from "../text/line.ts";
import { clockTime, originWords, statusMark } from "./message_words.ts";
import { around, fromEnd, nothing, type Pane, type Room } from "./pane.ts";

/** The agents, with what waits for each. */
export function agentsPane(state: TuiState, room: Room): Pane {
  const agents = shownAgents(state);
  const title = titled(state, "Agents", agents.length, state.agents.length);
  if (agents.length === 0) {
    return nothing(
      title,
      state.filter !== ""
        ? "No agent fits."
        : state.list.freshAt === null
        ? "Loading…"
        : "No agents yet. /agent create NAME makes one.",
      room,
    );
  }
  const chosen = chosenId(state);
  const width = idWidth(agents.map((it) => it.id), room.width);
  const rows = agents.map(({ id, queue, runner, problem }): Line => [
    ...pointer(id === chosen),
    span(column(id, width), id === chosen ? "selected" : "bold"),
    span(id === state.agent ? " *" : "  ", "good"),
    span(` ${queue.queued} queued · ${queue.processing} processing`, "dim"),
    span(queue.failed > 0 ? ` · ${queue.failed} failed` : "", "bad"),
    problem !== null ? span(`  ${problem}`, "bad") : span(`  ${runner ?? "no runner"}`, "dim"),
  ]);
  return around(title, rows, room, agents.findIndex((it) => it.id === chosen));
}

/** The apps of the agent, broken ones with what is wrong. */
export function appsPane(state: TuiState, room: Room): Pane {
  const apps = shownApps(state);
  const title = titled(state, `Apps of ${state.agent ?? "?"}`, apps.length, state.apps.length);
  if (apps.length === 0) {
    return nothing(
      title,
      state.filter !== ""
        ? "No app fits."
        : state.queue === null
        ? "Loading…"
        : "No apps yet. A folder with an index.html in the agent's apps/ is one.",
      room,
    );
  }
  const chosen = chosenId(state);
  const width = idWidth(apps.map((it) => it.id), room.width);
  const rows = apps.map((app): Line => [
    ...pointer(app.id === chosen),
    span(column(app.id, width), app.id === chosen ? "selected" : "bold"),
    ...(app.problem !== null ? [span(`  broken: ${app.problem}`, "bad")] : [
      span(`  ${app.name}`),
      span(` ${app.version}`, "dim"),
      span(app.description === "" ? "" : `  ${app.description}`, "dim"),
    ]),
  ]);
  return around(title, rows, room, apps.findIndex((it) => it.id === chosen));
}

/** The messages, newest first. */
export function messagesPane(state: TuiState, room: Room): Pane {
  const messages = shownMessages(state);
  const title = titled(state, "Messages", messages.length, state.messages.length);
  if (messages.length === 0) {
    return nothing(
      title,
      state.filter !== ""
        ? "No message fits."
        : state.messagesState.loaded
        ? "No messages yet."
        : "Loading…",
      room,
    );
  }
  const chosen = chosenId(state);
  const rows = messages.map((message): Line => {
    const text = message.text.find((it) => it.trim() !== "") ?? "";
    const type = message.requestType === null ? "" : `${message.requestType} `;
    return [
      ...pointer(message.id === chosen),
      statusMark(message.status),
      span(` ${clockTime(message.createdAt)} `, "dim"),
      span(column(originWords(message.origin), room.width < 60 ? 8 : 16), "bold"),
      span(` ${type}`, "accent"),
      span(text.trim(), message.id === chosen ? "selected" : undefined),
    ];
  });
  return around(title, rows, room, messages.findIndex((it) => it.id === chosen));
}

/** What happened, newest last. */
export function eventsPane(state: TuiState, room: Room): Pane {
  const events = shownEvents(state);
  const title = state.filter === ""
    ? `Events: ${state.eventCount} seen, the last ${state.events.length} kept`
    : titled(state, "Events", events.length, state.events.length);
  if (events.length === 0) {
    return nothing(
      title,
      state.filter === "" ? "Nothing has happened yet." : "No event fits.",
      room,
    );
  }
  // Only those that can be in sight: there are many, and this runs for each key.
  const last = events.length - Math.min(state.view.scroll, events.length);
  const first = Math.max(0, last - room.height);
  const lines = events.slice(first, Math.max(last, Math.min(room.height, events.length))).map(
    ({ sequence, timestamp, type, messageId, origin }): Line => [
      span(String(sequence).padStart(6), "dim"),
      span(` ${clockTime(timestamp)} `, "dim"),
      span(type.replace(/^message_/, ""), eventStyle(type)),
      span(` ${originWords(origin)}`, "bold"),
      span(` ${messageId}`, "dim"),
    ],
  );
  const pane = fromEnd(title, lines, room, 0);
  return { ...pane, maxScroll: Math.max(0, events.length - room.height) };
}

function eventStyle(type: string) {
  return type.endsWith("failed") ? "bad" : type.endsWith("succeeded") ? "good" : "accent";
}

function pointer(isChosen: boolean) {
  return isChosen ? [span("› ", "selected")] : [span("  ")];
}

function idWidth(ids: readonly string[], width: number): number {
  const longest = ids.reduce((most, id) => Math.max(most, id.length), 0);
  return Math.max(4, Math.min(longest, Math.floor(width / 3)));
}

function titled(state: TuiState, name: string, shown: number, all: number): string {
  return state.filter === ""
    ? `${name} (${all})`
    : `${name} with “${state.filter}” (${shown} of ${all})`;
}
