/**
 * The reducer: one event in, a new state and what is to be done out. It waits for nothing.
 *
 * @module
 */

import { attach, elapse, heard } from "./connection.ts";
import type { Effect, Reduced, TuiEvent } from "./events.ts";
import { type ReduceEnvironment, reduceKey, reducePaste, reduceText } from "./reduce_key.ts";
import {
  isOfAttachment,
  loadMessages,
  reduceAnswer,
  reduceAttachment,
  reduceList,
} from "./reduce_network.ts";
import type { TuiState } from "./types.ts";

/** The first effects: everything begins with an attachment to the server's default agent. */
export function start(state: TuiState): Reduced<TuiState> {
  return attach(state, state.link, null);
}

/** Works one event into the state. */
export function reduce(
  state: TuiState,
  event: TuiEvent,
  environment: ReduceEnvironment,
): Reduced<TuiState> {
  const first = reduceOne(state, event, environment);
  const second = loadMessages(first.state);
  return second.effects.length === 0
    ? first
    : { state: second.state, effects: [...first.effects, ...second.effects] };
}

function reduceOne(
  state: TuiState,
  event: TuiEvent,
  environment: ReduceEnvironment,
): Reduced<TuiState> {
  switch (event.kind) {
    case "key":
      return reduceKey(state, event.key, environment);
    case "text":
      return reduceText(state, event.text);
    case "paste":
      return reducePaste(state, event.text);
    case "resize":
      return { state: { ...state, columns: event.columns, rows: event.rows }, effects: NONE };
    case "tick":
      return elapse({ ...state, now: event.now });
    case "alive":
      return { state: heard({ ...state, now: event.now }), effects: NONE };
    case "agents":
    case "agentsFailed":
      return reduceList(state, event);
    default:
      return isOfAttachment(event) ? reduceAttachment(state, event) : reduceAnswer(state, event);
  }
}

const NONE: readonly Effect[] = [];
