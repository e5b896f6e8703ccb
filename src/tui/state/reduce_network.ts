/**
 * What background work has found out, worked into the state.
 *
 * @module
 */

import { heard, isAttached, lost, missed, opened, switchAgent } from "./connection.ts";
import type { AnswerEvent, AttachmentEvent, Reduced, TuiEvent } from "./events.ts";
import { address, notSent, pump, sent } from "./outbox.ts";
import {
  type AgentRow,
  type EventRow,
  LIMITS,
  type MessageRow,
  type MessageStatus,
  type ServerFacts,
  type TuiState,
} from "./types.ts";

/** Pause between two loads of the messages, in ms. */
export const MESSAGES_PAUSE_MS: number = 1000;

/** The list of agents came, or did not. */
export function reduceList(
  state: TuiState,
  event: Extract<TuiEvent, { readonly kind: "agents" | "agentsFailed" }>,
): Reduced<TuiState> {
  if (event.kind === "agents") {
    const agents: readonly AgentRow[] = event.agents.slice(0, LIMITS.agents);
    const own = agents.find((it) => it.id === state.agent);
    return pump(heard({
      ...state,
      now: event.now,
      agents,
      list: { freshAt: event.now, failure: null },
      queue: own?.queue ?? state.queue,
      runner: own === undefined ? state.runner : own.runner,
    }));
  }
  const next = { ...state, list: { ...state.list, failure: event.failure.sentence } };
  // A token that was revoked, a server that wants one now: the open stream is no comfort.
  return event.failure.kind === "refused" && isAttached(state.link)
    ? lost(next, event.failure)
    : { state: next, effects: [] };
}

/** Whether an event belongs to one attachment, so that it counts only during that. */
export function isOfAttachment(event: TuiEvent): event is AttachmentEvent {
  return "generation" in event;
}

/** What one attachment brought. */
export function reduceAttachment(state: TuiState, event: AttachmentEvent): Reduced<TuiState> {
  if (event.generation !== state.generation) return same(state);
  const timed = { ...state, now: Math.max(state.now, event.now) };
  switch (event.kind) {
    case "handshake":
      return same(heard(meet(timed, event.server)));
    case "snapshot":
      return address(
        heard({
          ...timed,
          agent: event.agent,
          runner: event.runner,
          queue: event.queue,
          apps: event.apps.slice(0, LIMITS.apps),
        }),
        event.agent,
      );
    case "messages":
      return same(heard({
        ...timed,
        messages: event.messages.slice(-LIMITS.messages),
        messagesState: { ...timed.messagesState, loaded: true, asked: false },
      }));
    case "messagesFailed":
      // Asked again once the pause is over.
      return same({
        ...timed,
        messagesState: { ...timed.messagesState, dirty: true, asked: false, askedAt: timed.now },
      });
    case "opened":
      return pump(opened({ ...timed, position: timed.position ?? event.position }));
    case "event":
      return same(heard(happened(timed, event.event)));
    case "gap":
      return missed(timed, event.reason);
    case "lost":
      return lost(timed, event.failure);
  }
}

/** What single requests brought. */
export function reduceAnswer(state: TuiState, event: AnswerEvent): Reduced<TuiState> {
  switch (event.kind) {
    case "sent":
      return sent(state, event.key);
    case "sendFailed":
      return notSent(state, event.key, event.failure);
    case "detail":
      return same(
        state.view.subject === event.detail.id ? { ...state, detail: event.detail } : state,
      );
    case "created": {
      const { state: next, effects } = switchAgent(state, event.agent);
      const text = `The agent ${event.agent} is there.`;
      return {
        state: { ...next, notice: { tone: "good", text } },
        effects: [...effects, { kind: "pollNow" }],
      };
    }
    case "notice":
      return same({ ...state, notice: { tone: event.tone, text: event.text } });
  }
}

/** Asks for the messages where they have changed, not too often. */
export function loadMessages(state: TuiState): Reduced<TuiState> {
  const { messagesState, agent, generation, now } = state;
  const due = messagesState.dirty && !messagesState.asked &&
    now - messagesState.askedAt >= MESSAGES_PAUSE_MS && isAttached(state.link);
  if (!due || agent === null) return same(state);
  return {
    state: {
      ...state,
      messagesState: { ...messagesState, dirty: false, asked: true, askedAt: now },
    },
    effects: [{ kind: "messages", generation, agent }],
  };
}

function meet(state: TuiState, server: ServerFacts): TuiState {
  const before = state.server;
  const text = before === null
    ? server.version === null || server.version === state.clientVersion
      ? null
      : `The server is Holon ${server.version}, and this program is ${state.clientVersion}.`
    : before.version !== server.version
    ? `Another version answers now: Holon ${server.version ?? "without a version"}, not ` +
      `${before.version ?? "one without a version"} as before.`
    : before.home !== server.home
    ? "Another server answers now: its home is a different one."
    : null;
  return { ...state, server, notice: text === null ? state.notice : { tone: "info", text } };
}

const STATUS_OF: Readonly<Record<string, MessageStatus>> = {
  message_cancelled: "cancelled",
  message_enqueued: "queued",
  message_failed: "failed",
  message_processing_started: "processing",
  message_requeued: "queued",
  message_succeeded: "succeeded",
};

function happened(state: TuiState, event: EventRow): TuiState {
  const status = STATUS_OF[event.type];
  const messages = status === undefined
    ? state.messages
    : withStatus(state.messages, event, status);
  return {
    ...state,
    messages,
    messagesState: status === undefined
      ? state.messagesState
      : { ...state.messagesState, dirty: true },
    events: appended(state.events, event),
    eventCount: state.eventCount + 1,
    position: event.sequence,
  };
}

/** Copied once for each event: there may be many. */
function appended(events: readonly EventRow[], event: EventRow): readonly EventRow[] {
  const kept = events.slice(events.length >= LIMITS.events ? 1 : 0);
  kept.push(event);
  return kept;
}

function withStatus(
  messages: readonly MessageRow[],
  { messageId }: EventRow,
  status: MessageStatus,
): readonly MessageRow[] {
  const index = messages.findIndex((it) => it.id === messageId);
  const found = messages[index];
  return found === undefined || found.status === status
    ? messages
    : messages.with(index, { ...found, status });
}

function same(state: TuiState): Reduced<TuiState> {
  return { state, effects: [] };
}
