/**
 * Appends events and hands them to subscribers: replay first, then live, without a gap or a
 * duplicate (`design.md` decision 10).
 *
 * @module
 */

import { Fault } from "../fault.ts";
import type { Clock } from "../host/types.ts";
import { LiveDeliveries, ReplayedDeliveries } from "./deliveries.ts";
import type { EventStore } from "./store.ts";
import { createSubscription, type Subscription } from "./subscription.ts";
import type { EventFilter, EventService, StoredEvent } from "./types.ts";

/** Bounds of subscriptions. */
export interface StreamLimits {
  /** Subscriptions in all. */
  readonly total: number;
  /** Subscriptions to one topic. */
  readonly perTopic: number;
  /** Events that may wait for a slow reader. */
  readonly waiting: number;
  /** Events that are replayed at most. */
  readonly replay: number;
}

/** The bounds in use. */
export const STREAM_LIMITS: StreamLimits = {
  total: 2048,
  perTopic: 1024,
  waiting: 1024,
  replay: 256,
};

/** What the service works with. */
export interface EventServiceOptions {
  readonly store: EventStore;
  readonly clock: Clock;
  /** Events to keep in a topic; asked at each append, so that a changed setting takes effect. */
  readonly window: () => number;
  readonly limits?: StreamLimits;
}

interface Subscriber {
  readonly filter: EventFilter | undefined;
  readonly subscription: Subscription;
}

/** The key of subscriptions to every agent's topic. */
const ALL = "*";

/** Makes the service. */
export function createEventService(options: EventServiceOptions): EventService {
  const { store, clock, window } = options;
  const limits = options.limits ?? STREAM_LIMITS;
  const subscribers = new Map<string, Set<Subscriber>>();
  let total = 0;
  let closed = false;

  function publish(event: StoredEvent): void {
    const everywhere = event.topic.startsWith("agent:") ? subscribers.get(ALL) : undefined;
    for (const audience of [subscribers.get(event.topic), everywhere]) {
      for (const { filter, subscription } of audience ?? []) {
        if (filter === undefined || filter.origin === event.origin) subscription.offer(event);
      }
    }
  }

  function register(key: string, signal: AbortSignal, filter?: EventFilter): Subscription {
    if (closed) throw new Fault("runtime_shutting_down", "Holon is shutting down");
    const audience: Set<Subscriber> = subscribers.get(key) ?? new Set();
    if (total >= limits.total || audience.size >= limits.perTopic) {
      throw new Fault("too_many_streams", "Too many event streams are open", {
        hint: "Close pages that are no longer needed, then try again.",
      });
    }
    const subscription = createSubscription(limits.waiting, signal, () => {
      if (audience.delete(subscriber)) total--;
      if (audience.size === 0) subscribers.delete(key);
    });
    const subscriber: Subscriber = { filter, subscription };
    subscribers.set(key, audience.add(subscriber));
    total++;
    if (signal.aborted) subscription.end();
    return subscription;
  }

  return {
    append(transaction, event) {
      const stored = store.append(transaction, event, clock.now(), window());
      transaction.afterCommit(() => publish(stored));
      return stored.sequence;
    },

    newest: (topic) => store.newest(topic),

    subscribe({ topic, filter, after, signal }) {
      const subscription = register(topic, signal, filter);
      return after === null
        ? new LiveDeliveries(subscription)
        : new ReplayedDeliveries(store, subscription, {
          topic,
          origin: filter?.origin ?? null,
          after,
          limit: limits.replay,
        });
    },

    subscribeAll: (signal) => new LiveDeliveries(register(ALL, signal)),

    get subscriptions() {
      return total;
    },

    lag() {
      let sum = 0;
      let most = 0;
      for (const audience of subscribers.values()) {
        for (const { subscription } of audience) {
          sum += subscription.waiting;
          most = Math.max(most, subscription.waiting);
        }
      }
      return { total: sum, most };
    },

    close() {
      closed = true;
      for (const audience of [...subscribers.values()]) {
        for (const { subscription } of [...audience]) subscription.end();
      }
    },
  };
}
