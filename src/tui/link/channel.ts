/**
 * The one local channel between background work and the main loop: bounded, never waited for by
 * whoever puts something in.
 *
 * @module
 */

/** How to treat what is put in. */
export interface ChannelOptions<E> {
  /** The most events that may be dropped to wait; those that may not always fit. */
  readonly capacity: number;
  /** Two waiting events of the same key become the later one; `null`: each counts. */
  readonly keyOf: (event: E) => string | null;
  /** Whether an event may be dropped where too many wait. */
  readonly mayDrop: (event: E) => boolean;
  /** What to tell in the place of those that were dropped. */
  readonly onDropped: (event: E) => E;
}

/** A channel with one reader. */
export interface Channel<E> {
  /** Puts an event in; after `close()`, nowhere. */
  put(event: E): void;
  /** Takes all that waits; resolves once there is something, with nothing after `close()`. */
  take(): Promise<readonly E[]>;
  readonly waiting: number;
  close(): void;
}

/** Makes a channel. */
export function createChannel<E>(options: ChannelOptions<E>): Channel<E> {
  const { capacity, keyOf, mayDrop, onDropped } = options;
  let events: E[] = [];
  /** Where the waiting event of a key is. */
  let places = new Map<string, number>();
  let droppable = 0;
  let wake: (() => void) | null = null;
  let closed = false;

  function append(event: E): void {
    const key = keyOf(event);
    const place = key === null ? undefined : places.get(key);
    if (place !== undefined) {
      // In the place of the earlier one, so that what came between keeps its order to the later.
      events[place] = event;
      return;
    }
    if (key !== null) places.set(key, events.length);
    events.push(event);
  }

  return {
    put(event) {
      if (closed) return;
      if (!mayDrop(event)) append(event);
      else if (droppable < capacity) {
        droppable++;
        append(event);
      } else {
        append(onDropped(event));
      }
      wake?.();
    },

    async take() {
      if (events.length === 0 && !closed) await new Promise<void>((resolve) => wake = resolve);
      wake = null;
      const taken = events;
      events = [];
      places = new Map();
      droppable = 0;
      return taken;
    },

    get waiting() {
      return events.length;
    },

    close() {
      closed = true;
      events = [];
      wake?.();
    },
  };
}
