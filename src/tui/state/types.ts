/**
 * All that the terminal UI knows, as data.
 *
 * @module
 */

import type { Editor } from "../editor/editor.ts";
import type { History } from "../editor/history.ts";
import type { FailureKind } from "../link/failure.ts";

/** The most of each list that is kept. */
export const LIMITS = { agents: 1000, apps: 500, messages: 100, events: 500, outbox: 50 } as const;

/** Pauses before each attempt to connect again, in ms; the last one stays. */
export const BACKOFF_MS: readonly number[] = [1000, 2000, 4000, 8000, 15_000, 30_000];

/** The connection to the selected agent (`contracts/holon-remote-tui-access.md`). */
export type Link =
  /** Nothing is known yet; the first connection is being made. */
  | { readonly kind: "bootstrapping"; readonly since: number }
  /** Events arrive as they happen. */
  | { readonly kind: "streaming"; readonly since: number }
  /** The connection stands, but nothing has come for a while. */
  | { readonly kind: "stale"; readonly since: number }
  /** It broke; the next attempt is at `retryAt`, or under way where that is `null`. */
  | {
    readonly kind: "reconnecting";
    readonly attempt: number;
    readonly retryAt: number | null;
    readonly reason: string;
  }
  /** Events were missed: what is shown is old until the new state has come. */
  | { readonly kind: "refresh-required"; readonly reason: string }
  /** It ended for a reason that time does not mend. */
  | { readonly kind: "disconnected"; readonly reason: string };

/** What the handshake said. */
export interface ServerFacts {
  readonly version: string | null;
  readonly defaultAgent: string | null;
  /** Where its apps can be opened, without a slash at the end. */
  readonly url: string | null;
  /** The same for other devices, where the server was told such an address. */
  readonly sharedUrl: string | null;
  readonly home: string | null;
}

/** The counts of an agent's messages by status. */
export interface QueueCounts {
  readonly queued: number;
  readonly processing: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** An agent of the list. Texts here and below are safe to draw. */
export interface AgentRow {
  readonly id: string;
  readonly runner: string | null;
  readonly problem: string | null;
  readonly queue: QueueCounts;
}

/** An app of the selected agent. */
export interface AppRow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Path of its page; `null` for a broken one. */
  readonly path: string | null;
  readonly problem: string | null;
}

/** A message's state. */
export type MessageStatus = "cancelled" | "failed" | "processing" | "queued" | "succeeded";

/** A message of the selected agent. */
export interface MessageRow {
  readonly id: string;
  readonly status: MessageStatus;
  readonly origin: string;
  readonly requestType: string | null;
  /** What it says, in a few lines. */
  readonly text: readonly string[];
  /** What came of it, in a few lines. */
  readonly result: readonly string[];
  readonly createdAt: string;
  readonly finishedAt: string | null;
  readonly attempts: number;
}

/** An event of the selected agent. */
export interface EventRow {
  readonly sequence: number;
  readonly type: string;
  readonly timestamp: string;
  readonly messageId: string;
  readonly origin: string;
}

/** A text that was entered and is on its way. */
export interface OutboxItem {
  /** Names it to the server too, so that a repeated request makes no second message. */
  readonly key: string;
  /** `null`: the server's default agent, once it is known which one that is. */
  readonly agent: string | null;
  readonly text: string;
  readonly state: "failed" | "sending" | "waiting";
  readonly reason: string | null;
}

/** What fills the middle of the screen. */
export type ViewKind =
  | "activity"
  | "agents"
  | "apps"
  | "events"
  | "help"
  | "message"
  | "messages"
  | "qr"
  | "state";

/** A view and where one is in it. */
export interface View {
  readonly kind: ViewKind;
  /** Id of the chosen row; `null`: the first one. */
  readonly chosen: string | null;
  /** Rows scrolled away from the resting place: up from the end, or down from the beginning. */
  readonly scroll: number;
  /** The message or app that it is about. */
  readonly subject: string | null;
}

/** A message with all that is known of it. */
export interface MessageDetail {
  readonly id: string;
  readonly lines: readonly string[];
}

/** A sentence for the person. */
export interface Notice {
  readonly tone: "bad" | "good" | "info";
  readonly text: string;
}

/** How the list of agents is doing. */
export interface ListState {
  /** When it was last heard; `null`: never. */
  readonly freshAt: number | null;
  readonly failure: string | null;
}

/** Everything. Times are of the monotonic clock, in ms, but for texts from the server. */
export interface TuiState {
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
  readonly target: {
    readonly label: string;
    readonly remote: boolean;
    readonly url: string | null;
  };
  readonly clientVersion: string;
  readonly server: ServerFacts | null;
  readonly link: Link;
  /** Counts attachments, so that what belongs to an earlier one is told apart. */
  readonly generation: number;
  /** When anything last came from the server. */
  readonly heardAt: number | null;
  readonly list: ListState;
  readonly agents: readonly AgentRow[];
  readonly agent: string | null;
  readonly runner: string | null;
  readonly queue: QueueCounts | null;
  readonly apps: readonly AppRow[];
  /** Newest last. */
  readonly messages: readonly MessageRow[];
  readonly messagesState: {
    readonly loaded: boolean;
    readonly dirty: boolean;
    readonly asked: boolean;
    readonly askedAt: number;
  };
  /** Newest last. */
  readonly events: readonly EventRow[];
  /** Events seen since the start. */
  readonly eventCount: number;
  /** Number of the newest event seen; where a stream goes on from. */
  readonly position: number | null;
  readonly outbox: readonly OutboxItem[];
  readonly view: View;
  readonly filter: string;
  readonly detail: MessageDetail | null;
  readonly editor: Editor;
  readonly history: History;
  readonly notice: Notice | null;
  /** Ctrl+O was pressed: the next letter is a command. */
  readonly prefix: boolean;
  /** Leaving was asked for while texts are on their way. */
  readonly leaving: boolean;
}

/** A failure as an event carries it. */
export interface FailureFacts {
  readonly kind: FailureKind;
  readonly sentence: string;
}
