/**
 * Texts on their way: sent one after the other, kept while the server is away, and never twice.
 *
 * @module
 */

import { isPassing } from "../link/failure.ts";
import type { Effect, Reduced } from "./events.ts";
import { type FailureFacts, LIMITS, type OutboxItem, type TuiState } from "./types.ts";

/** Puts a text behind the others and sends it when it is its turn. */
export function post(
  state: TuiState,
  item: Pick<OutboxItem, "agent" | "key" | "text">,
): Reduced<TuiState> {
  return pump({ ...state, outbox: [...state.outbox, { ...item, state: "waiting", reason: null }] });
}

/** Whether another text can be taken. */
export function hasRoom(state: TuiState): boolean {
  return state.outbox.length < LIMITS.outbox;
}

/** The server has it. */
export function sent(state: TuiState, key: string): Reduced<TuiState> {
  const messagesState = { ...state.messagesState, dirty: true, askedAt: -Infinity };
  const outbox = state.outbox.filter((item) => item.key !== key);
  return pump({ ...state, outbox, messagesState });
}

/** It could not be sent: it waits for the next try, or failed for good. */
export function notSent(state: TuiState, key: string, failure: FailureFacts): Reduced<TuiState> {
  const passing = isPassing(failure.kind);
  const outbox = state.outbox.map((item): OutboxItem =>
    item.key !== key
      ? item
      : { ...item, state: passing ? "waiting" : "failed", reason: failure.sentence }
  );
  const next = { ...state, outbox };
  // What comes behind it waits as well: the order is kept.
  if (passing) return { state: next, effects: [] };
  return pump({
    ...next,
    notice: { tone: "bad", text: `Not sent: ${failure.sentence}. Up brings the text back.` },
  });
}

/** Sends the first that waits, unless one is on its way. */
export function pump(state: TuiState): Reduced<TuiState> {
  if (state.outbox.some((item) => item.state === "sending")) return { state, effects: [] };
  const next = state.outbox.find((item) => item.state === "waiting");
  if (next === undefined || next.agent === null) return { state, effects: [] };
  const { key, agent, text } = next;
  const outbox = state.outbox.map((item): OutboxItem =>
    item.key === key ? { ...item, state: "sending" } : item
  );
  const effect: Effect = { kind: "send", key, agent, text };
  return { state: { ...state, outbox }, effects: [effect] };
}

/** Gives the texts that were written before an agent was known to that one. */
export function address(state: TuiState, agent: string): Reduced<TuiState> {
  if (state.outbox.every((item) => item.agent !== null)) return { state, effects: [] };
  return pump({
    ...state,
    outbox: state.outbox.map((item) => item.agent === null ? { ...item, agent } : item),
  });
}

/** Forgets those that failed. */
export function dropFailed(state: TuiState): TuiState {
  return { ...state, outbox: state.outbox.filter((item) => item.state !== "failed") };
}

/** How many are not with the server yet. */
export function unsent(state: TuiState): number {
  return state.outbox.filter((item) => item.state !== "failed").length;
}
