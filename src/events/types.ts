/**
 * Events: numbered facts about what happened, kept within a window and streamed live.
 *
 * @module
 */

import type { Transaction } from "../store/types.ts";

/** `agent:<id>` or `system`; later also `app:` and `operation:`. */
export type Topic = `agent:${string}` | "system";

/** Event types of an agent's topic. Clients ignore unknown ones. */
export type EventType =
  | "message_cancelled"
  | "message_enqueued"
  | "message_failed"
  | "message_processing_started"
  | "message_requeued"
  | "message_succeeded";

/** An event to append. */
export interface NewEvent {
  readonly topic: Topic;
  readonly type: EventType;
  /** The message that it is about. */
  readonly messageId: string | null;
  /** The app's own request id, if it gave one. */
  readonly requestId: string | null;
  /** `operator`, `app:<id>` or `worker`: who made the message. */
  readonly origin: string | null;
}

/** An event as stored. */
export interface StoredEvent extends NewEvent {
  /** Its number in its topic: 1, 2, 3 …, never used again. */
  readonly sequence: number;
  /** RFC 3339, UTC, with milliseconds. */
  readonly timestamp: string;
}

/** What a subscriber gets: events in order, and word of a gap where some are lost to it. */
export type Delivery =
  | { readonly kind: "event"; readonly event: StoredEvent }
  | { readonly kind: "gap"; readonly after: number; readonly oldest: number };

/** Deliveries, read one by one by a single reader. */
export interface Deliveries extends AsyncIterableIterator<Delivery, undefined> {
  /** The next one if it is there already; else `null`. Not while `next()` is pending. */
  poll(): Delivery | null;
  return(): Promise<IteratorReturnResult<undefined>>;
}

/** What to subscribe to. */
export interface SubscribeOptions {
  readonly topic: Topic;
  /** Only events that pass; every event when absent. */
  readonly filter?: EventFilter;
  /** Replay what came after this sequence number first; `null` for live events only. */
  readonly after: number | null;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

/** A filter that the store can apply: events of messages from one origin. */
export interface EventFilter {
  readonly origin: string;
}

/** The service that other capabilities use. */
export interface EventService {
  /**
   * Appends an event inside the caller's transaction; subscribers get it after the commit.
   * Returns its sequence number.
   */
  append(transaction: Transaction, event: NewEvent): number;
  /** The newest sequence number of a topic; 0 when it has no events yet. */
  newest(topic: Topic): number;
  /**
   * Replay, then live, without a gap or a duplicate. The iteration ends when the signal aborts,
   * when the service closes, and when the reader lags so far that events would be lost to it
   * (it then reconnects with its last id and is told of a gap).
   *
   * @throws {Fault} `too_many_streams`
   */
  subscribe(options: SubscribeOptions): AsyncIterable<Delivery>;
  /**
   * Live events of all agents in one stream, each with its topic: for a page that shows them all
   * (`design.md` decision 11). It ends as {@linkcode subscribe} does.
   *
   * @throws {Fault} `too_many_streams`
   */
  subscribeAll(signal: AbortSignal): AsyncIterable<Delivery>;
  /** Subscriptions under way. */
  readonly subscriptions: number;
  /** How far readers are behind, in events: all together, and the slowest. */
  lag(): { readonly total: number; readonly most: number };
  /** Ends every subscription; later ones are refused. */
  close(): void;
}
