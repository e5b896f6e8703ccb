/**
 * What reaches the main loop, and what it asks to be done in return.
 *
 * @module
 */

import type {
  AgentRow,
  AppRow,
  EventRow,
  FailureFacts,
  MessageDetail,
  MessageRow,
  QueueCounts,
  ServerFacts,
} from "./types.ts";

/** A key that was pressed. */
export interface Key {
  readonly name:
    | "backspace"
    | "delete"
    | "down"
    | "end"
    | "enter"
    | "escape"
    | "home"
    | "left"
    | "letter"
    | "pagedown"
    | "pageup"
    | "right"
    | "tab"
    | "up";
  /** The letter, in lower case, where the name is `letter`. */
  readonly letter?: string;
  readonly ctrl?: boolean;
  readonly alt?: boolean;
  readonly shift?: boolean;
}

/** From the terminal, the clock and the background work; all on one channel. */
export type TuiEvent =
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "resize"; readonly columns: number; readonly rows: number }
  | { readonly kind: "tick"; readonly now: number }
  /** Something came from the server. */
  | { readonly kind: "alive"; readonly now: number }
  | { readonly kind: "agents"; readonly now: number; readonly agents: readonly AgentRow[] }
  | { readonly kind: "agentsFailed"; readonly failure: FailureFacts }
  | AnswerEvent
  | AttachmentEvent;

/** About one attachment to one agent. */
export type AttachmentEvent =
  & { readonly generation: number; readonly now: number }
  & (
    | { readonly kind: "handshake"; readonly server: ServerFacts }
    | {
      readonly kind: "snapshot";
      readonly agent: string;
      readonly runner: string | null;
      readonly queue: QueueCounts;
      readonly apps: readonly AppRow[];
      readonly newest: number;
    }
    | { readonly kind: "messages"; readonly messages: readonly MessageRow[] }
    | { readonly kind: "messagesFailed"; readonly failure: FailureFacts }
    /** The stream is open, behind the event with this number. */
    | { readonly kind: "opened"; readonly position: number }
    | { readonly kind: "event"; readonly event: EventRow }
    /** Events were missed: the server said so, or the channel was full. */
    | { readonly kind: "gap"; readonly reason: string }
    | { readonly kind: "lost"; readonly failure: FailureFacts }
  );

/** What single requests brought. */
export type AnswerEvent =
  | { readonly kind: "sent"; readonly key: string }
  | { readonly kind: "sendFailed"; readonly key: string; readonly failure: FailureFacts }
  | { readonly kind: "detail"; readonly detail: MessageDetail }
  | { readonly kind: "created"; readonly agent: string }
  | { readonly kind: "notice"; readonly tone: "bad" | "good" | "info"; readonly text: string };

/** What the loop has done outside of it. */
export type Effect =
  /** Handshake, state, messages, then the stream; whatever was before is ended. */
  | {
    readonly kind: "attach";
    readonly generation: number;
    /** `null`: the server's default. */
    readonly agent: string | null;
    /** Number of the event to go on from; `null`: from the state on. */
    readonly position: number | null;
  }
  /** Ends the attachment under way. */
  | { readonly kind: "detach" }
  | { readonly kind: "pollNow" }
  | { readonly kind: "messages"; readonly generation: number; readonly agent: string }
  | { readonly kind: "send"; readonly key: string; readonly agent: string; readonly text: string }
  | { readonly kind: "detail"; readonly agent: string; readonly message: string }
  | { readonly kind: "cancel"; readonly agent: string; readonly message: string }
  | { readonly kind: "create"; readonly agent: string }
  | { readonly kind: "open"; readonly url: string }
  | { readonly kind: "quit" };

/** A new state and what is to be done. */
export interface Reduced<State> {
  readonly state: State;
  readonly effects: readonly Effect[];
}
