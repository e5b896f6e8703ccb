/**
 * Views that are texts: help, state, one message.
 *
 * @module
 */

import { COMMANDS } from "../commands/catalog.ts";
import type { TuiState } from "../state/types.ts";
import { column, type Line, line, span, wrapText } from "../text/line.ts";
import { linkReason, linkWords } from "./link_text.ts";
import { fromStart, nothing, type Pane, type Room } from "./pane.ts";

const KEYS: readonly (readonly [string, string])[] = [
  ["Enter", "send, or act on the chosen row"],
  ["Alt+Enter", "new line (also Shift+Enter, Ctrl+J, \\ Enter)"],
  ["↑ ↓", "choose a row; earlier texts"],
  ["PgUp PgDn", "scroll"],
  ["Tab", "complete a command"],
  ["Esc", "back"],
  ["Ctrl+O", "then A agents, P apps, M messages, E events, S state,"],
  ["", "O open, Q QR code, F find, R refresh, C clear, H help, X leave"],
  ["Ctrl+A E", "to the start, the end of the line"],
  ["Ctrl+W U K", "cut a word, to the start, to the end; Ctrl+Y puts it back"],
  ["Ctrl+R", "refresh"],
  ["Ctrl+C", "leave"],
];

/** Keys and commands. */
export function helpPane(state: TuiState, room: Room): Pane {
  const names = Math.min(18, Math.max(11, Math.floor(room.width / 3)));
  const pair = ([name, text]: readonly [string, string]): readonly Line[] =>
    wrapText(text, Math.max(10, room.width - names - 1)).map((row, index): Line => [
      span(column(index === 0 ? name : "", names), "accent"),
      span(` ${row}`),
    ]);
  const rows = [
    ...KEYS.flatMap(pair),
    line(""),
    ...COMMANDS.flatMap((it) => pair([`${it.name}${argumentWords(it.argument)}`, it.summary])),
    line(""),
    ...wrapText("Two slashes begin a message that starts with a slash.", room.width)
      .map((row) => line(row, "dim")),
  ];
  return fromStart("Help (↑ ↓ scroll, Esc closes)", rows, room, state.view.scroll);
}

/** What is known of server, connection and queue. */
export function statePane(state: TuiState, room: Room): Pane {
  const { server, queue, list, target, link, now } = state;
  const seconds = (at: number | null): string =>
    at === null ? "never" : `${Math.floor((now - at) / 1000)} s ago`;
  const facts: readonly (readonly [string, string])[] = [
    ["Server", target.label],
    ["Version", server === null ? "not known yet" : `Holon ${server.version ?? "(not told)"}`],
    ["This program", `Holon ${state.clientVersion}`],
    ["Home", server?.home ?? "(not told)"],
    ["Pages at", target.url ?? server?.url ?? "(not told)"],
    ["Connection", linkWords(link, now)],
    ["Last heard", seconds(state.heardAt)],
    ["Agent list", list.failure ?? `${state.agents.length} agents, ${seconds(list.freshAt)}`],
    ["Agent", state.agent ?? "not known yet"],
    ["Runner", state.runner ?? (queue === null ? "not known yet" : "none: messages wait")],
    [
      "Queue",
      queue === null
        ? "not known yet"
        : `${queue.queued} queued, ${queue.processing} processing, ${queue.succeeded} succeeded, ` +
          `${queue.failed} failed, ${queue.cancelled} cancelled`,
    ],
    ["Apps", String(state.apps.length)],
    ["Newest event", state.position === null ? "not known yet" : `#${state.position}`],
    ["To be sent", String(state.outbox.filter((it) => it.state !== "failed").length)],
  ];
  const rows = facts.flatMap(([name, text]) =>
    wrapText(text, Math.max(10, room.width - 14)).map((row, index): Line => [
      span(column(index === 0 ? name : "", 13), "accent"),
      span(` ${row}`),
    ])
  );
  const reason = linkReason(state);
  const why = reason === null ? [] : wrapText(reason, room.width).map((row) => line(row, "warn"));
  return fromStart("State", [...rows, ...why], room, state.view.scroll);
}

/** One message with all that came of it. */
export function messagePane(state: TuiState, room: Room): Pane {
  const { detail, view } = state;
  const title = `Message ${view.subject ?? ""}`;
  if (detail === null || detail.id !== view.subject) return nothing(title, "Loading…", room);
  const rows = detail.lines.flatMap((text) => wrapText(text, room.width)).map((row) =>
    line(row, row.startsWith("— ") ? "accent" : undefined)
  );
  return fromStart(title, rows, room, view.scroll);
}

function argumentWords(kind: string): string {
  return kind === "none" ? "" : ` ${kind.toUpperCase()}`;
}
