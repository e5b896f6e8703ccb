/**
 * The connection to the selected agent as a state machine.
 *
 * bootstrapping → streaming ⇄ stale; any of them → reconnecting → streaming; a gap makes
 * refresh-required, and what time does not mend makes disconnected.
 *
 * @module
 */

import { isPassing } from "../link/failure.ts";
import type { Effect, Reduced } from "./events.ts";
import { NO_MESSAGES } from "./initial.ts";
import { BACKOFF_MS, type FailureFacts, type Link, type TuiState } from "./types.ts";

/** Silence after which a connection counts as stale, in ms: more than two list refreshes. */
export const STALE_MS: number = 5000;

/** Begins an attachment; what belongs to earlier ones is ignored from now on. */
export function attach(
  state: TuiState,
  link: Link,
  position: number | null,
): Reduced<TuiState> {
  const generation = state.generation + 1;
  return {
    state: { ...state, link, generation, position },
    effects: [{ kind: "attach", generation, agent: state.agent, position }],
  };
}

/** Turns to another agent, or to this one anew, and forgets what was known. */
export function switchAgent(state: TuiState, agent: string | null): Reduced<TuiState> {
  const fresh: TuiState = {
    ...state,
    ...NO_MESSAGES,
    agent,
    runner: null,
    queue: state.agents.find((it) => it.id === agent)?.queue ?? null,
    apps: [],
    events: [],
    detail: null,
  };
  return attach(fresh, { kind: "bootstrapping", since: state.now }, null);
}

/** Loads everything anew, at once; what is shown stays until the new state is there. */
export function refresh(state: TuiState, reason: string): Reduced<TuiState> {
  const { link } = state;
  const shown: Link = state.messagesState.loaded && isAttached(link)
    ? { kind: "refresh-required", reason }
    : link.kind === "reconnecting"
    ? { ...link, retryAt: null }
    : { kind: "bootstrapping", since: state.now };
  const { state: next, effects } = attach(state, shown, null);
  return { state: next, effects: [...effects, { kind: "pollNow" }] };
}

/** Events were missed. */
export function missed(state: TuiState, reason: string): Reduced<TuiState> {
  return attach(state, { kind: "refresh-required", reason }, null);
}

/** The stream is open. */
export function opened(state: TuiState): TuiState {
  return { ...state, link: { kind: "streaming", since: state.now }, heardAt: state.now };
}

/** The attachment failed or ended. */
export function lost(state: TuiState, failure: FailureFacts): Reduced<TuiState> {
  if (!isPassing(failure.kind)) {
    return {
      state: { ...state, link: { kind: "disconnected", reason: failure.sentence } },
      effects: [{ kind: "detach" }],
    };
  }
  const attempt = state.link.kind === "reconnecting" ? state.link.attempt + 1 : 1;
  const pause = BACKOFF_MS[Math.min(attempt, BACKOFF_MS.length) - 1] ?? 0;
  return {
    state: {
      ...state,
      link: {
        kind: "reconnecting",
        attempt,
        retryAt: state.now + pause,
        reason: failure.sentence,
      },
    },
    effects: [],
  };
}

/** Something came from the server. */
export function heard(state: TuiState): TuiState {
  const heardAt = state.now;
  return state.link.kind === "stale"
    ? { ...state, heardAt, link: { kind: "streaming", since: heardAt } }
    : { ...state, heardAt };
}

/** What time alone changes: silence makes stale, and the pause before an attempt ends. */
export function elapse(state: TuiState): Reduced<TuiState> {
  const { link, now, heardAt } = state;
  if (link.kind === "streaming" && heardAt !== null && now - heardAt > STALE_MS) {
    return { state: { ...state, link: { kind: "stale", since: heardAt } }, effects: [] };
  }
  if (link.kind === "reconnecting" && link.retryAt !== null && now >= link.retryAt) {
    return attach(state, { ...link, retryAt: null }, state.position);
  }
  return { state, effects: NONE };
}

/** Whether what is shown follows the server. */
export function isAttached(link: Link): boolean {
  return link.kind === "streaming" || link.kind === "stale" || link.kind === "refresh-required";
}

const NONE: readonly Effect[] = [];
