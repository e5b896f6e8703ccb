/**
 * Beside the activity, where there is room: the agents and the apps.
 *
 * @module
 */

import type { TuiState } from "../state/types.ts";
import { type Line, line, span } from "../text/line.ts";
import type { Room } from "./pane.ts";

/** Draws it; at most as many rows as there is room for. */
export function sidePane(state: TuiState, { height }: Room): readonly Line[] {
  const half = Math.max(2, Math.floor(height / 2));
  const agents = state.agents.map(({ id, queue }): Line => [
    span(id === state.agent ? "› " : "  ", "good"),
    span(id, id === state.agent ? "bold" : undefined),
    span(queue.queued > 0 ? ` ${queue.queued} queued` : "", "warn"),
    span(queue.processing > 0 ? ` ${queue.processing} at work` : "", "accent"),
  ]);
  const apps = state.apps.map((app): Line => [
    span("  "),
    span(app.id, app.problem === null ? undefined : "bad"),
    span(app.problem === null ? ` ${app.version}` : " broken", "dim"),
  ]);
  const list = (title: string, rows: readonly Line[], most: number): readonly Line[] => {
    const shown = rows.length > most - 1 ? rows.slice(0, most - 2) : rows;
    const rest = rows.length - shown.length;
    return [
      line(`${title} (${rows.length})`, "accent"),
      ...shown,
      ...(rest > 0 ? [line(`  and ${rest} more`, "dim")] : []),
    ];
  };
  const upper = list("Agents", agents, half);
  return [...upper, line(""), ...list("Apps", apps, Math.max(2, height - upper.length - 1))];
}
