/**
 * The whole screen: heading, view, notice, the text being written, hints.
 *
 * @module
 */

import { type Hint, hintsFor } from "../commands/complete.ts";
import { layOut, type VisibleRows, visibleRows } from "../editor/layout.ts";
import { chosenId, namesOf } from "../state/selectors.ts";
import type { TuiState } from "../state/types.ts";
import {
  cutLine,
  fillLine,
  type Line,
  line,
  lineWidth,
  span,
  spread,
  wrapText,
} from "../text/line.ts";
import { activityPane } from "./activity.ts";
import { linkLine, linkReason } from "./link_text.ts";
import { agentsPane, appsPane, eventsPane, messagesPane } from "./lists.ts";
import type { Pane, Room } from "./pane.ts";
import { qrPane } from "./qr.ts";
import { sidePane } from "./side.ts";
import { helpPane, messagePane, statePane } from "./texts.ts";

/** What is drawn. */
export interface Frame {
  /** As many as the terminal has rows. */
  readonly lines: readonly Line[];
  readonly cursor: { readonly x: number; readonly y: number };
  /** How far the view can be scrolled. */
  readonly maxScroll: number;
}

const PROMPT = "> ";
const CONTINUED = "  ";

/** Draws a state. */
export function frameOf(state: TuiState): Frame {
  const width = Math.max(1, state.columns);
  const height = Math.max(1, state.rows);
  const input = inputRows(state, width, height);
  const small = height < 6;
  const heading = small ? [] : [headingLine(state, width)];
  const hints = small ? [] : hintLines(state, width, height);
  const notice = noticeLines(
    state,
    width,
    height - heading.length - hints.length - input.rows.length,
  );
  const room = height - heading.length - notice.length - input.rows.length - hints.length;
  const { lines: body, maxScroll } = bodyLines(state, { width, height: Math.max(0, room) });
  const before = [...heading, ...body, ...notice];
  const all = [...before, ...input.rows, ...hints].slice(0, height);
  return {
    lines: all,
    cursor: { x: Math.min(width - 1, input.x), y: Math.min(height - 1, before.length + input.y) },
    maxScroll,
  };
}

function headingLine(state: TuiState, width: number): Line {
  const named: Line = [
    span(" "),
    span(state.agent ?? "holon", "bold"),
    span("  "),
    ...linkLine(state),
  ];
  // Where there is no room for both, how the connection is matters more.
  const left = lineWidth(named) > width ? linkLine(state) : named;
  const queue = state.queue === null
    ? ""
    : `${state.queue.queued} queued · ${state.queue.processing} processing  `;
  const right: Line = [
    span(width >= 72 ? queue : "", "dim"),
    span(`${state.target.label} `, "dim"),
  ];
  return spread(left, right, width);
}

/** The view below its title; with the other agents and the apps beside it where there is room. */
function bodyLines(state: TuiState, room: Room): Pick<Pane, "lines" | "maxScroll"> {
  if (room.height === 0) return { lines: [], maxScroll: 0 };
  const side = state.view.kind === "activity" && room.width >= 100 && room.height >= 6
    ? sidePane(state, { width: 30, height: room.height })
    : null;
  const width = side === null ? room.width : room.width - 33;
  // Where there are few rows, they are all for the view itself.
  const titled = state.view.kind !== "activity" && room.height >= 3;
  const pane = paneOf(state, { width, height: titled ? room.height - 1 : room.height });
  const shown = titled ? [titleLine(pane, width), ...pane.lines] : pane.lines;
  const rows = Array.from({ length: room.height }, (_, index): Line => {
    // What happens last stands right above the text that is being written.
    const missing = restsAtEnd(state) ? room.height - shown.length : 0;
    return shown[index - missing] ?? [];
  });
  if (side === null) {
    return { lines: rows.map((row) => cutLine(row, width)), maxScroll: pane.maxScroll };
  }
  const lines = rows.map((row, index): Line => [
    ...fillLine(row, width),
    span(" │ ", "dim"),
    ...cutLine(side[index] ?? [], 30),
  ]);
  return { lines, maxScroll: pane.maxScroll };
}

function restsAtEnd(state: TuiState): boolean {
  return state.view.kind === "activity" && state.messages.length + state.outbox.length > 0;
}

function titleLine({ title }: Pane, width: number): Line {
  const text: Line = [span(`── ${title} `, "accent")];
  const rest = width - lineWidth(text);
  return rest > 0 ? [...text, span("─".repeat(rest), "dim")] : cutLine(text, width);
}

function paneOf(state: TuiState, room: Room): Pane {
  switch (state.view.kind) {
    case "activity":
      return activityPane(state, room);
    case "agents":
      return agentsPane(state, room);
    case "apps":
      return appsPane(state, room);
    case "messages":
      return messagesPane(state, room);
    case "events":
      return eventsPane(state, room);
    case "state":
      return statePane(state, room);
    case "message":
      return messagePane(state, room);
    case "help":
      return helpPane(state, room);
    case "qr":
      return qrPane(state, room);
  }
}

/** The notice, else why the connection is as it is. At least one row is left for the view. */
function noticeLines(state: TuiState, width: number, free: number): readonly Line[] {
  const most = Math.min(free - 1, free >= 8 ? 3 : 2);
  if (most < 1) return [];
  const { notice } = state;
  if (notice !== null) {
    const style = notice.tone === "bad" ? "bad" : notice.tone === "good" ? "good" : "accent";
    return wrapText(notice.text, width, most).map((row) => line(row, style));
  }
  const reason = linkReason(state);
  return reason === null ? [] : wrapText(reason, width, most).map((row) => line(row, "warn"));
}

interface InputRows {
  readonly rows: readonly Line[];
  readonly x: number;
  readonly y: number;
}

function inputRows(state: TuiState, width: number, height: number): InputRows {
  const layout = visibleRows(
    layOut(state.editor, Math.max(2, width - PROMPT.length)),
    Math.max(1, Math.min(8, Math.floor(height / 3))),
  );
  const rows = layout.rows.map((text, index): Line => [
    span(index === 0 && layout.above === 0 ? PROMPT : CONTINUED, "accent"),
    span(text),
  ]);
  return { rows: markHidden(rows, layout), x: PROMPT.length + layout.cell, y: layout.row };
}

/** An arrow in the margin where rows are out of sight. */
function markHidden(rows: readonly Line[], { above, below }: VisibleRows): readonly Line[] {
  return rows.map((row, index): Line => {
    const mark = index === 0 && above > 0
      ? "↑ "
      : index === rows.length - 1 && below > 0
      ? "↓ "
      : null;
    return mark === null ? row : [span(mark, "dim"), ...row.slice(1)];
  });
}

function hintLines(state: TuiState, width: number, height: number): readonly Line[] {
  if (state.prefix) {
    const text =
      "Ctrl+O: A agents P apps M messages E events S state O open Q QR F find R refresh H help X leave";
    return wrapText(text, width, height >= 14 ? 3 : 1).map((row) => line(row, "accent"));
  }
  const hints = hintsFor(state.editor.text, namesOf(state));
  if (hints.length > 0) return completionLines(hints, state, width, height);
  return [cutLine([span(keyHints(state, width), "dim")], width)];
}

function completionLines(
  hints: readonly Hint[],
  state: TuiState,
  width: number,
  height: number,
): readonly Line[] {
  const most = height >= 20 ? 6 : height >= 14 ? 3 : 1;
  if (most === 1) {
    const words = hints.map((it) => it.line.trim()).join("  ");
    const [only] = hints;
    const text = hints.length === 1 && only !== undefined && only.summary !== ""
      ? `${only.line.trim()}: ${only.summary}`
      : words;
    return [cutLine([span(text, "accent")], width)];
  }
  const shown = hints.slice(0, hints.length > most ? most - 1 : most);
  const names = Math.max(...shown.map((it) => it.line.trim().length));
  const rows = shown.map((it): Line => [
    span(
      it.line.trim().padEnd(names),
      it.line.trim() === state.editor.text ? "selected" : "accent",
    ),
    span(`  ${it.summary}`, "dim"),
  ]);
  const rest = hints.length - shown.length;
  const more: readonly Line[] = rest > 0 ? [line(`and ${rest} more; Tab completes`, "dim")] : [];
  return [...rows, ...more].map((row) => cutLine(row, width));
}

function arrowHint(state: TuiState): string {
  if (chosenId(state) !== null) return "↑↓ choose";
  return ["help", "message", "state"].includes(state.view.kind) ? "↑↓ scroll" : "↑ earlier texts";
}

function keyHints(state: TuiState, width: number): string {
  const isEmpty = state.editor.text === "";
  const enter = !isEmpty
    ? "Enter sends"
    : chosenId(state) === null
    ? "/ commands"
    : state.view.kind === "agents"
    ? "Enter switches"
    : state.view.kind === "apps"
    ? "Enter opens"
    : "Enter shows";
  const parts = width < 60
    ? [enter, isEmpty && state.view.kind !== "activity" ? "Esc back" : "Ctrl+C leaves"]
    : [
      enter,
      isEmpty ? arrowHint(state) : "Alt+Enter new line",
      state.view.kind === "activity" ? "/help" : "Esc back",
      "Ctrl+O views",
      "Ctrl+C leaves",
    ];
  return parts.join(" · ");
}
