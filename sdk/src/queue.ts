import type { AppEvent, EventGap } from "../holon.d.ts";

/** Events that wait for a reader who doesn't come; older ones are then lost, and it is told. */
const CAPACITY = 1_000;

type Item =
  | { readonly kind: "event"; readonly event: AppEvent }
  | { readonly kind: "gap"; readonly gap: EventGap };

interface Reader {
  resolve(result: IteratorResult<AppEvent>): void;
  reject(error: unknown): void;
}

/**
 * Events between a stream and a `for await` loop. Any number of `next()` calls may wait at the same
 * time, and `return()` ends them all at once.
 */
export class EventQueue implements AsyncIterableIterator<AppEvent> {
  readonly #items: Item[] = [];
  readonly #readers: Reader[] = [];
  readonly #onStart: () => void;
  readonly #onEnd: () => void;
  readonly #onGap: ((gap: EventGap) => void) | undefined;
  #state: "ended" | "idle" | "running" = "idle";
  #error: { readonly cause: unknown } | null = null;

  /**
   * @param onStart called by the first `next()`
   * @param onEnd called once, when the reader wants no more
   */
  constructor(onStart: () => void, onEnd: () => void, onGap?: (gap: EventGap) => void) {
    this.#onStart = onStart;
    this.#onEnd = onEnd;
    this.#onGap = onGap;
  }

  /** Adds an event. */
  push(event: AppEvent): void {
    this.#add({ kind: "event", event });
  }

  /** Adds word of a gap. */
  pushGap(gap: EventGap): void {
    this.#add({ kind: "gap", gap });
  }

  /** Ends the iteration once what waits has been read; with an error, by throwing it. */
  end(error?: { readonly cause: unknown }): void {
    if (this.#state === "ended") return;
    this.#state = "ended";
    this.#error = error ?? null;
    this.#onEnd();
    this.#flush();
  }

  next(): Promise<IteratorResult<AppEvent>> {
    return new Promise((resolve, reject) => {
      this.#readers.push({ resolve, reject });
      if (this.#state === "idle") {
        this.#state = "running";
        this.#onStart();
      }
      this.#flush();
    });
  }

  return(): Promise<IteratorResult<AppEvent>> {
    this.#items.length = 0;
    this.end();
    this.#error = null;
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #add(item: Item): void {
    if (this.#state === "ended") return;
    this.#items.push(item);
    if (this.#items.length > CAPACITY) this.#drop();
    this.#flush();
  }

  /** Makes a gap of the older half. */
  #drop(): void {
    const dropped = this.#items.splice(0, CAPACITY / 2);
    const first = dropped[0]!;
    const next = this.#items.find((item) => item.kind === "event");
    const after = first.kind === "gap" ? first.gap.after : first.event.event.sequence - 1;
    const oldest = next?.event.event.sequence ?? after + 1;
    this.#items.unshift({ kind: "gap", gap: { after, oldest } });
  }

  #flush(): void {
    while (this.#readers.length > 0) {
      const item = this.#items.shift();
      if (item?.kind === "gap") this.#tell(item.gap);
      else if (item !== undefined) {
        this.#readers.shift()!.resolve({ done: false, value: item.event });
      } else if (this.#state !== "ended") return;
      else if (this.#error !== null) {
        this.#readers.shift()!.reject(this.#error.cause);
        // As with a generator, an iteration that threw is over.
        this.#error = null;
      } else this.#readers.shift()!.resolve({ done: true, value: undefined });
    }
  }

  /** An app's callback that throws must not stop the stream; the page still learns of it. */
  #tell(gap: EventGap): void {
    try {
      this.#onGap?.(gap);
    } catch (error) {
      setTimeout(() => {
        throw error;
      });
    }
  }
}
