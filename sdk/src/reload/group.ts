import type { Transport } from "../call.ts";
import { follow } from "../follow.ts";
import { type AppState, stateOf } from "./state.ts";

/** The lock of the page that reads for all, the channel, and the beginning of all other locks. */
const NAME = "holon-reload";

/** Pages that come or go at the same time are taken together, in ms. */
const GATHER_MS = 50;

/** A page that goes may be about to come back, in ms. */
const PATIENCE_MS = 2_000;

/** What a group needs. */
export interface GroupOptions {
  /** The app that this page belongs to; `""` where the origin has only one. */
  readonly app: string;
  readonly transport: Transport;
  /** The stream that carries these apps. */
  readonly urlOf: (apps: readonly string[]) => string;
  /** An app is so now. */
  readonly onState: (state: AppState) => void;
}

/**
 * The pages of a browser profile that want word of changed files. One of them, which is seen, reads
 * one stream for the apps of all that are seen, and passes on what comes (`design.md` decision 11).
 * Who wants what is told by Web Locks, which end with their page however it ends: each page that
 * is seen holds `want`, and each whose event stream brings the same word holds `have`.
 */
export class ReloadGroup {
  readonly #options: GroupOptions;
  readonly #channel: BroadcastChannel = new BroadcastChannel(NAME);
  /** What this page has read itself, and tells again to pages that come. */
  readonly #states: Map<string, AppState> = new Map();
  #part: AbortController | null = null;
  #ride: AbortController | null = null;
  #ridden: string | null = null;
  /** Wakes the leader that this page is. */
  #wake: () => void = () => {};

  constructor(options: GroupOptions) {
    this.#options = options;
    this.#channel.onmessage = ({ data }) => {
      if (data !== null) return options.onState(data as AppState);
      for (const state of this.#states.values()) this.#channel.postMessage(state);
      this.#wake();
    };
  }

  /** Takes part from now on. A second call does nothing. */
  join(): void {
    if (this.#part !== null) return;
    const part = this.#part = new AbortController();
    hold(`want ${this.#options.app}`, part.signal).then(() => this.#stir());
    navigator.locks.request(NAME, { signal: part.signal }, () => this.#lead(part.signal)).catch(
      () => {
        // Called off before its turn came.
      },
    );
  }

  /** Takes no part any more, until {@linkcode join} is called again. */
  leave(): void {
    this.#part?.abort();
    this.#part = null;
    this.#stir();
  }

  /** What the event stream of this page's app brings; `null` when it brings nothing any more. */
  ride(data: string | null): void {
    if (data === null) {
      if (this.#ridden !== null) this.#states.delete(this.#ridden);
      this.#ridden = null;
      this.#ride?.abort();
      this.#ride = null;
      this.#stir();
    } else {
      const state = stateOf(data);
      this.#ridden = state.app;
      this.#pass(state);
      if (this.#ride !== null) return;
      this.#ride = new AbortController();
      hold(`have ${this.#options.app}`, this.#ride.signal).then(() => this.#stir());
    }
  }

  /** Tells all pages that who wants what has changed. */
  #stir(): void {
    this.#channel.postMessage(null);
    this.#wake();
  }

  #pass(state: AppState): void {
    this.#states.set(state.app, state);
    this.#channel.postMessage(state);
    this.#options.onState(state);
  }

  /** Reads for all until the signal aborts, or the server refuses. */
  async #lead(signal: AbortSignal): Promise<void> {
    const refused = new AbortController();
    const stop = AbortSignal.any([signal, refused.signal]);
    let apps: readonly string[] = [];
    let connection = new AbortController();
    let isWoken = true;
    while (!stop.aborted) {
      await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
      const wanted = await wantedApps();
      const isMore = wanted.some((app) => !apps.includes(app));
      if (isMore || (!isWoken && wanted.length < apps.length)) {
        connection.abort();
        connection = new AbortController();
        apps = wanted;
        this.#forget();
        if (apps.length > 0) {
          const both = AbortSignal.any([stop, connection.signal]);
          this.#read(apps, both).catch(() => refused.abort());
        }
      }
      isWoken = await this.#woken(PATIENCE_MS, stop);
    }
    connection.abort();
    this.#forget();
  }

  async #read(apps: readonly string[], signal: AbortSignal): Promise<void> {
    const { transport, urlOf } = this.#options;
    await follow({
      transport,
      url: urlOf(apps),
      after: null,
      reconnect: true,
      signal,
      onOpen: () => {},
      onEvent: () => {},
      onGap: () => {},
      onDown: () => this.#forget(),
      onOther: ({ data }) => this.#pass(stateOf(data)),
    });
  }

  /** Forgets what was read, but for what the event stream brings. */
  #forget(): void {
    for (const app of this.#states.keys()) if (app !== this.#ridden) this.#states.delete(app);
  }

  /** Whether someone stirs within a time. */
  #woken(ms: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const done = (woken: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        this.#wake = () => {};
        resolve(woken);
      };
      const stop = () => done(false);
      const timer = setTimeout(stop, ms);
      signal.addEventListener("abort", stop);
      this.#wake = () => done(true);
      if (signal.aborted) stop();
    });
  }
}

/** Holds a lock, together with others, until the signal aborts; resolves once it is held. */
function hold(what: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    navigator.locks.request(`${NAME} ${what}`, { mode: "shared", signal }, () => {
      resolve();
      return new Promise<void>((release) => {
        signal.addEventListener("abort", () => release());
        if (signal.aborted) release();
      });
    }).catch(() => {
      // Called off before it was held.
    });
  });
}

/** Apps that pages want word of, without those whose event stream brings it. */
async function wantedApps(): Promise<readonly string[]> {
  const { held = [] } = await navigator.locks.query();
  const names = (what: string) => {
    const start = `${NAME} ${what} `;
    return held.flatMap(({ name = "" }) => name.startsWith(start) ? name.slice(start.length) : []);
  };
  const had = new Set(names("have"));
  return [...new Set(names("want"))].filter((app) => !had.has(app)).sort();
}
