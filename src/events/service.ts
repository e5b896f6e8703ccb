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
  /** Subscriptions to the events of one origin, such as an app. */
  readonly perOrigin: number;
  /** The part of `total` and of `perTopic` that those may take: the rest is the owner's. */
  readonly originShare: number;
  /** Events that may wait for a slow reader. */
  readonly waiting: number;
  /** Events that are replayed at most. */
  readonly replay: number;
}

/** The bounds in use. */
export const STREAM_LIMITS: StreamLimits = {
  total: 2048,
  perTopic: 1024,
  perOrigin: 256,
  originShare: 0.5,
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

/** From so many subscriptions on, events that come close together are handed on together. */
const MANY = 64;
/** How long an event then waits at most. */
const TOGETHER_MS = 15;

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
  /** Subscriptions of origins: of one in a topic, of all in a topic, and in all. */
  const ofOrigins = new Map<string, number>();
  let total = 0;
  let closed = false;
  let pending: StoredEvent[] = [];
  let flushedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** At once, or together with what else comes within a few ms where that spares many writes. */
  function publish(event: StoredEvent): void {
    pending.push(event);
    if (timer !== undefined) return;
    const early = total < MANY ? 0 : flushedAt + TOGETHER_MS - clock.monotonic();
    if (early > 0) timer = setTimeout(flush, early);
    else flush();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (pending.length === 0) return;
    flushedAt = clock.monotonic();
    const events = pending;
    pending = [];
    events.forEach(deliver);
  }

  function deliver(event: StoredEvent): void {
    const everywhere = event.topic.startsWith("agent:") ? subscribers.get(ALL) : undefined;
    for (const audience of [subscribers.get(event.topic), everywhere]) {
      for (const { filter, subscription } of audience ?? []) {
        if (filter === undefined || filter.origin === event.origin) subscription.offer(event);
      }
    }
  }

  function register(key: string, signal: AbortSignal, filter?: EventFilter): Subscription {
    if (closed) throw new Fault("runtime_shutting_down", "Holon is shutting down");
    // Nobody is told of what happened before.
    flush();
    const audience: Set<Subscriber> = subscribers.get(key) ?? new Set();
    if (total >= limits.total || audience.size >= limits.perTopic) {
      throw tooMany("Too many event streams are open");
    }
    const leaveOrigin = filter === undefined ? null : enterOrigin(key, filter.origin);
    const subscription = createSubscription(limits.waiting, signal, () => {
      if (audience.delete(subscriber)) total--;
      if (audience.size === 0) subscribers.delete(key);
      leaveOrigin?.();
    });
    const subscriber: Subscriber = { filter, subscription };
    subscribers.set(key, audience.add(subscriber));
    total++;
    if (signal.aborted) subscription.end();
    return subscription;
  }

  /** Counts a subscription of an origin in; gives what counts it out. */
  function enterOrigin(topic: string, origin: string): () => void {
    const { total, perTopic, perOrigin, originShare } = limits;
    const bounds = [
      [`${topic} ${origin}`, perOrigin, "Too many event streams of this app are open"],
      [topic, perTopic * originShare, "Too many event streams of this agent's apps are open"],
      ["", total * originShare, "Too many event streams of apps are open"],
    ] as const;
    for (const [of, bound, sentence] of bounds) {
      if ((ofOrigins.get(of) ?? 0) >= bound) throw tooMany(sentence);
    }
    const count = (step: 1 | -1) => {
      for (const [of] of bounds) {
        const now = (ofOrigins.get(of) ?? 0) + step;
        if (now === 0) ofOrigins.delete(of);
        else ofOrigins.set(of, now);
      }
    };
    count(1);
    return () => count(-1);
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
      flush();
      for (const audience of [...subscribers.values()]) {
        for (const { subscription } of [...audience]) subscription.end();
      }
    },
  };
}

function tooMany(sentence: string): Fault {
  return new Fault("too_many_streams", sentence, {
    hint: "Close pages that are no longer needed, then try again.",
  });
}
