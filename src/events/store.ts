/**
 * Events as stored.
 *
 * @module
 */

import type { Transaction } from "../store/types.ts";
import type { NewEvent, StoredEvent, Topic } from "./types.ts";

/** What to read again. */
export interface ReplayRequest {
  readonly topic: Topic;
  /** Only events of messages from this origin; all where it is `null`. */
  readonly origin: string | null;
  /** Only events with a higher number. */
  readonly after: number;
  /** The most events to give: the newest ones. */
  readonly limit: number;
}

/** What was read, all at one moment. */
export interface Replay {
  /** In ascending order. */
  readonly events: readonly StoredEvent[];
  /** Whether events that match and are stored were left out for the limit. */
  readonly truncated: boolean;
  /** Number of the oldest event kept; one more than `newest` where none is. */
  readonly oldest: number;
  /** The newest number given to an event of the topic; 0 before the first. */
  readonly newest: number;
}

/** Every method but {@linkcode EventStore.append} is one transaction. */
export interface EventStore {
  /**
   * Appends an event inside the caller's transaction and removes a few of those that are out of
   * the window.
   *
   * @param at wall-clock time in ms since the epoch
   * @param window events to keep in the topic
   */
  append(transaction: Transaction, event: NewEvent, at: number, window: number): StoredEvent;
  /** The newest number of a topic; 0 before the first. */
  newest(topic: Topic): number;
  replay(request: ReplayRequest): Promise<Replay>;
}
