/**
 * Types of the Holon app SDK, for authors of apps.
 *
 * `<script src="holon.js">` defines `window.Holon`; the module `holon.mjs` exports the same object
 * as `Holon`, and `createHolonApp()` for other settings.
 *
 * @module
 */

/** What `context()` tells an app about itself. */
export interface AppContext {
  readonly sdk_version: "1";
  readonly agent_id: string;
  readonly app_id: string;
  readonly session: { readonly authenticated: boolean };
}

/** The answer to `request()`: the request is in the queue; nothing is known of its outcome yet. */
export interface RequestReceipt {
  readonly ok: true;
  readonly version: "1";
  readonly request_id: string;
  readonly agent_id: string;
  readonly app_id: string;
  readonly status: "accepted";
  readonly message_id: string;
}

/** Event types of today. Later servers may send others: ignore what you don't know. */
export type AppEventType =
  | "message_cancelled"
  | "message_enqueued"
  | "message_failed"
  | "message_processing_started"
  | "message_requeued"
  | "message_succeeded";

/** Something that became of a request of this app. */
export interface AppEvent {
  readonly version: "1";
  readonly agent_id: string;
  readonly app_id: string;
  readonly event: {
    /** Rises from event to event, with holes: the numbers are the agent's, not the app's. */
    readonly sequence: number;
    // deno-lint-ignore ban-types
    readonly type: AppEventType | (string & {});
    /** RFC 3339, UTC. */
    readonly timestamp: string;
    readonly message_id: string;
    readonly request_id?: string | null;
  };
}

/** Events that can't be had any more: those after `after` and before `oldest`. */
export interface EventGap {
  readonly after: number;
  readonly oldest: number;
}

/** Options of `events()`. */
export interface EventsOptions {
  /** Ends the iteration quietly. */
  readonly signal?: AbortSignal;
  /** Begin after this sequence number instead of now. */
  readonly lastEventId?: number | string;
  /** `false`: end when the connection does, instead of connecting again. */
  readonly reconnect?: boolean;
  /** Called, in order with the events, where some were lost: check the state of your work. */
  readonly onGap?: (gap: EventGap) => void;
  /**
   * Called when the connection is there (`live`), is lost (`lost`: it is tried again), and so on; at
   * most once in a row with the same word. Before the first call it is being opened.
   */
  readonly onState?: (state: EventsState) => void;
}

/** Whether events reach the page at once, or only once the connection is there again. */
export type EventsState = "live" | "lost";

/** Options of `request()`. */
export interface RequestOptions {
  /**
   * Makes a second try safe: within 24 h, the same key with the same request is answered with the
   * first one's receipt and queues nothing. 1 to 255 printable ASCII characters.
   */
  readonly idempotencyKey?: string;
}

/** The app's line to its agent. */
export interface HolonApp {
  /** Version of the SDK's protocol. */
  readonly version: "1";
  /** Asks who this app is. */
  context(): Promise<AppContext>;
  /**
   * Sends a request to the agent's queue.
   *
   * @param type 1 to 128 letters, digits, `-`, `_` and `.`, e.g. `"ping"`
   * @param payload any JSON value; `null` when left out
   * @param requestId your own name for this request; Holon makes one when left out
   */
  request(
    type: string,
    payload?: unknown,
    requestId?: string,
    options?: RequestOptions,
  ): Promise<RequestReceipt>;
  /** What becomes of this app's requests, live. `break` or the signal ends it. */
  events(options?: EventsOptions): AsyncIterableIterator<AppEvent>;
}

/** Settings of `createHolonApp()`. */
export interface HolonAppOptions {
  /** The app's root, e.g. `http://127.0.0.1:7878/apps/main/ping-card/`; by default the page's. */
  readonly baseUrl?: string | URL;
  /** Replaces `fetch`. */
  readonly fetch?: typeof fetch;
  /** A token for programs outside a browser. Never write one into the files of an app. */
  readonly bearerToken?: string;
}

/** A call that Holon refused, or that didn't reach it (`status` 0, code `unreachable`). */
export declare class HolonError extends Error {
  override readonly name: "HolonError";
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** Machine code, e.g. `app_queue_full`. */
  readonly code: string;
  /** What can be done about it. */
  readonly hint?: string;
  /** Seconds to wait before the next try, where Holon said so. */
  readonly retryAfter?: number;
  /** For stand-ins of Holon in tests. */
  constructor(
    message: string,
    parts: {
      readonly status: number;
      readonly code: string;
      readonly hint?: string | undefined;
      readonly retryAfter?: number | undefined;
    },
    cause?: unknown,
  );
}

/** Makes a line to an app's agent with other settings than the page's. */
export declare function createHolonApp(options?: HolonAppOptions): HolonApp;

/** The line of the app that this page belongs to. */
export declare const Holon: HolonApp;

declare global {
  interface Window {
    /** Defined by `holon.js`. */
    readonly Holon: HolonApp;
  }
}
