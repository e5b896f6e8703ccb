/**
 * The first view: what was asked of the agent and what came of it, newest last.
 *
 * @module
 */

import { type MessageRow, type OutboxItem, type TuiState } from "../state/types.ts";
import { safeLines } from "../text/sanitise.ts";
import { type Line, line, span, wrapText } from "../text/line.ts";
import { clockTime, originWords, statusSpan } from "./message_words.ts";
import { fromEnd, nothing, type Pane, type Room } from "./pane.ts";

const INDENT = "  ";
const MAX_OUTBOX_ROWS = 4;

/** Draws the view. */
export function activityPane(state: TuiState, room: Room): Pane {
  const { messages, messagesState, outbox, agent } = state;
  const waiting = outbox.filter((item) => item.agent === agent || item.agent === null);
  if (messages.length === 0 && waiting.length === 0) {
    return nothing(
      "Activity",
      messagesState.loaded
        ? "No messages yet. Write one below; /apps lists the apps, /help the keys."
        : state.link.kind === "bootstrapping"
        ? "Loading…"
        : "Nothing could be loaded yet.",
      room,
    );
  }
  const rows = [
    ...messages.flatMap((message) => cachedRows(message, room.width)),
    ...waiting.flatMap((item) => outboxRows(item, room.width)),
  ];
  return fromEnd("Activity", rows, room, state.view.scroll);
}

/** The rows of a message at a width: they are asked for at each key. */
const drawn = new WeakMap<MessageRow, { readonly width: number; readonly rows: readonly Line[] }>();

function cachedRows(message: MessageRow, width: number): readonly Line[] {
  const known = drawn.get(message);
  if (known?.width === width) return known.rows;
  const rows = messageRows(message, width);
  drawn.set(message, { width, rows });
  return rows;
}

function messageRows(message: MessageRow, width: number): readonly Line[] {
  const { status, origin, requestType, createdAt, attempts } = message;
  const again = attempts > 1 ? `  attempt ${attempts}` : "";
  const head: Line = [
    span(clockTime(createdAt), "dim"),
    span(" "),
    statusSpan(status),
    span("  "),
    span(originWords(origin), "bold"),
    span(requestType === null ? "" : `  ${requestType}`, "accent"),
    span(again, "dim"),
  ];
  const indented = (texts: readonly string[], mark: string, style?: "dim"): Line[] =>
    texts.flatMap((text) => wrapText(text, Math.max(8, width - 4), 3)).map((row, index) =>
      line(`${INDENT}${index === 0 ? mark : " ".repeat(mark.length)}${row}`, style)
    );
  return [head, ...indented(message.text, ""), ...indented(message.result, "→ ", "dim")];
}

function outboxRows(item: OutboxItem, width: number): readonly Line[] {
  const head: Line = item.state === "failed"
    ? [span(`✗ not sent: ${item.reason ?? ""}`, "bad")]
    : item.reason === null
    ? [span(item.state === "sending" ? "… sending" : "… waiting to be sent", "accent")]
    : [span(`… waiting to be sent: ${item.reason}`, "warn")];
  const texts = safeLines(item.text, 600).flatMap((text) => wrapText(text, Math.max(8, width - 4)));
  return [head, ...texts.slice(0, MAX_OUTBOX_ROWS).map((text) => line(`${INDENT}${text}`))];
}
