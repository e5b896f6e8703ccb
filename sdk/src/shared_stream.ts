import type { Transport } from "./call.ts";
import { HolonError } from "./error.ts";
import { Leader } from "./leader.ts";
import type { Message } from "./messages.ts";
import { riderOf } from "./rider.ts";
import type { Sink } from "./sink.ts";

/** A leader that is silent for this long is gone or stuck; heartbeats come every 15 s. */
const SILENCE_MS = 90_000;

/** The silence is looked at this often. */
const WATCH_MS = 15_000;

/**
 * Whether pages can share a stream here: Web Locks need a secure context (loopback is one), and a
 * page without an origin of its own may not use them.
 */
export function canShare(): boolean {
  return globalThis.isSecureContext === true && globalThis.origin !== "null" &&
    globalThis.navigator?.locks !== undefined && typeof BroadcastChannel === "function";
}

/**
 * One event stream for all pages of a browser profile: the page that holds a Web Lock reads it and
 * passes it on by BroadcastChannel (`design.md` decision 11). A page takes part while it has
 * readers.
 */
export class SharedStream {
  readonly #transport: Transport;
  readonly #url: string;
  readonly #name: string;
  readonly #page: string = crypto.randomUUID();
  readonly #sinks: Set<Sink> = new Set();
  #channel: BroadcastChannel | null = null;
  #leader: Leader | null = null;
  /** Ends this page's place in the queue of leaders, or its term. */
  #term: AbortController | null = null;
  #heard = 0;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(transport: Transport, url: string) {
    this.#transport = transport;
    this.#url = url;
    this.#name = "holon-events:" + new URL(url).pathname;
  }

  /** Adds a reader until the signal aborts. */
  join(sink: Sink, signal: AbortSignal): void {
    if (signal.aborted) return;
    this.#sinks.add(sink);
    signal.addEventListener("abort", () => this.#leave(sink), { once: true });
    if (this.#channel === null) this.#begin();
    this.#want(numberOf(sink.cursor));
  }

  #leave(sink: Sink): void {
    if (!this.#sinks.delete(sink) || this.#sinks.size > 0) return;
    this.#end();
  }

  #begin(): void {
    const channel = new BroadcastChannel(this.#name);
    this.#channel = channel;
    channel.onmessage = (event) => this.#receive(event.data as Message);
    document.addEventListener("visibilitychange", this.#onVisible);
    this.#heard = performance.now();
    let looked = this.#heard;
    this.#watch = setInterval(() => {
      const now = performance.now();
      // The whole machine slept: the leader has to be given time to speak.
      if (now - looked > SILENCE_MS / 2) this.#heard = now;
      looked = now;
      if (this.#leader === null && now - this.#heard > SILENCE_MS) this.#stand(true);
    }, WATCH_MS);
    this.#stand(false);
  }

  #end(): void {
    clearInterval(this.#watch);
    document.removeEventListener("visibilitychange", this.#onVisible);
    this.#term?.abort();
    this.#term = null;
    this.#channel?.close();
    this.#channel = null;
  }

  /** Queues for the lead; `steal` takes it from a leader that is stuck. */
  #stand(steal: boolean): void {
    this.#term?.abort();
    const term = new AbortController();
    this.#term = term;
    this.#heard = performance.now();
    const options: LockOptions = steal ? { steal } : { signal: term.signal };
    navigator.locks.request(this.#name, options, () => this.#lead(term)).catch(() => {
      // Called off, or the lead was stolen from this page.
    }).then(() => {
      if (this.#term !== term) return;
      term.abort();
      this.#stand(false);
    });
  }

  async #lead(term: AbortController): Promise<void> {
    if (term.signal.aborted) return;
    const rider = riderOf(this.#url);
    const { fetch, headers } = this.#transport;
    const leader = new Leader({
      transport: rider === null
        ? this.#transport
        : { fetch, headers: { ...headers, "x-holon-reload": "too" } },
      url: this.#url,
      rider,
      after: this.#lowest(),
      signal: term.signal,
      emit: (message) => {
        if (term.signal.aborted) return;
        this.#channel?.postMessage(message);
        this.#receive(message);
      },
      // Standing anew puts this page at the end of the queue.
      stepDown: () => this.#stand(false),
    });
    this.#leader = leader;
    try {
      await leader.lead();
    } finally {
      if (this.#leader === leader) this.#leader = null;
    }
  }

  /** Tells the leader what this page needs. */
  #want(after: number | null): void {
    const visible = document.visibilityState === "visible";
    if (this.#leader !== null) this.#leader.serve(this.#page, after, visible);
    else this.#channel?.postMessage({ kind: "want", page: this.#page, after, visible });
  }

  #onVisible: () => void = () => {
    if (document.visibilityState === "visible") this.#want(this.#lowest());
  };

  #receive(message: Message): void {
    if (message.kind === "want") {
      this.#leader?.serve(message.page, message.after, message.visible);
      return;
    }
    this.#heard = performance.now();
    if (message.kind === "lead") {
      if (this.#leader === null) this.#want(this.#lowest());
      return;
    }
    for (const sink of [...this.#sinks]) this.#deliver(sink, message);
  }

  #deliver(sink: Sink, message: Message): void {
    const cursor = numberOf(sink.cursor);
    if (message.kind === "open") {
      if (cursor === null && message.newest !== null) sink.cursor = String(message.newest);
      sink.onOpen?.();
    } else if (message.kind === "down") sink.onDown?.();
    else if (message.kind === "event") {
      const { page, sequence, data } = message;
      // What comes late is for the page that asked, and for its readers that have a position.
      if (page !== null && (page !== this.#page || cursor === null)) return;
      if (sequence !== null) {
        if (cursor !== null && sequence <= cursor) return;
        sink.cursor = String(sequence);
      }
      sink.onEvent(data);
    } else if (message.kind === "gap") {
      const { after, oldest } = message.gap;
      const before = Math.max(0, oldest - 1);
      // The gap lies behind a reader that is past it, unless its position is one of another life.
      if (cursor === null || (cursor >= before && !(after > before && cursor >= after))) return;
      sink.cursor = String(before);
      sink.onGap?.({ after: cursor, oldest });
    } else if (message.kind === "refused") {
      this.#leave(sink);
      sink.onEnd({ cause: new HolonError(message.message, message) });
    }
  }

  #lowest(): number | null {
    let lowest: number | null = null;
    for (const sink of this.#sinks) {
      const cursor = numberOf(sink.cursor);
      if (cursor !== null) lowest = Math.min(cursor, lowest ?? cursor);
    }
    return lowest;
  }
}

function numberOf(cursor: string | null): number | null {
  return cursor === null ? null : Number(cursor);
}
