/**
 * What subscribers read: replay first, then live, without a gap or a duplicate. No generators: they
 * could not tell what is there already, so that what comes together is sent together.
 *
 * @module
 */

import type { EventStore, Replay, ReplayRequest } from "./store.ts";
import type { Subscription } from "./subscription.ts";
import type { Deliveries, Delivery } from "./types.ts";

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

/** Events as they happen. */
export class LiveDeliveries implements Deliveries {
  readonly #subscription: Subscription;
  readonly #after: number;

  /** @param after only events with a higher number */
  constructor(subscription: Subscription, after = 0) {
    this.#subscription = subscription;
    this.#after = after;
  }

  async next(): Promise<IteratorResult<Delivery, undefined>> {
    for (;;) {
      const event = await this.#subscription.next();
      if (event === null) return DONE;
      if (event.sequence > this.#after) return { done: false, value: { kind: "event", event } };
    }
  }

  poll(): Delivery | null {
    for (;;) {
      const event = this.#subscription.poll();
      if (event === null) return null;
      if (event.sequence > this.#after) return { kind: "event", event };
    }
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#subscription.end();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/**
 * Stored events, then those that happen. The subscription began before this reads, so that what
 * comes in meanwhile is in its queue.
 */
export class ReplayedDeliveries implements Deliveries {
  readonly #store: EventStore;
  readonly #subscription: Subscription;
  readonly #request: ReplayRequest;
  #replayed: Delivery[] = [];
  #live: LiveDeliveries | null = null;

  constructor(store: EventStore, subscription: Subscription, request: ReplayRequest) {
    this.#store = store;
    this.#subscription = subscription;
    this.#request = request;
  }

  async next(): Promise<IteratorResult<Delivery, undefined>> {
    this.#live ??= await this.#replay();
    const value = this.#replayed.shift();
    return value === undefined ? await this.#live.next() : { done: false, value };
  }

  poll(): Delivery | null {
    return this.#replayed.shift() ?? this.#live?.poll() ?? null;
  }

  return(): Promise<IteratorReturnResult<undefined>> {
    this.#replayed = [];
    this.#subscription.end();
    return Promise.resolve(DONE);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #replay(): Promise<LiveDeliveries> {
    try {
      const replay = await this.#store.replay(this.#request);
      const gap = gapOf(this.#request.after, replay);
      const events = replay.events.map((event): Delivery => ({ kind: "event", event }));
      this.#replayed = gap === null ? events : [gap, ...events];
      return new LiveDeliveries(this.#subscription, replay.newest);
    } catch (error) {
      this.#subscription.end();
      throw error;
    }
  }
}

/** From `oldest` on nothing is left out; before it, after the reader's number, something may be. */
function gapOf(after: number, replay: Replay): Delivery | null {
  if (after > replay.newest) return { kind: "gap", after, oldest: replay.newest + 1 };
  if (replay.truncated) {
    return { kind: "gap", after, oldest: replay.events[0]?.sequence ?? replay.newest + 1 };
  }
  return after < replay.oldest - 1 ? { kind: "gap", after, oldest: replay.oldest } : null;
}
