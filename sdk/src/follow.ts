import type { EventGap } from "../holon.d.ts";
import type { Transport } from "./call.ts";
import { type Frame, readStream } from "./connection.ts";
import { badResponse, HolonError } from "./error.ts";

/** Waits between tries, in ms; the last one repeats (`design.md` decision 9). */
const DELAYS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;

/** Statuses that pass by themselves: too busy, restarting, a proxy whose server is away. */
const TRANSIENT = new Set([0, 408, 429, 502, 503, 504]);

/** What to follow and whom to tell. */
export interface FollowOptions {
  readonly transport: Transport;
  readonly url: string;
  /** Begin after this id; `null`: now. */
  readonly after: string | null;
  readonly reconnect: boolean;
  readonly signal: AbortSignal;
  readonly onOpen: (newest: string | null) => void;
  readonly onEvent: (id: string | undefined, data: unknown) => void;
  readonly onGap: (gap: EventGap) => void;
  /** A frame that is no word of events. */
  readonly onOther?: (frame: Frame) => void;
  /** Something was heard, or another try begins: this stream is being looked after. */
  readonly onAlive?: () => void;
  /** The connection is lost; another try follows. */
  readonly onDown?: () => void;
  /** Replaces the wait between tries. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Follows an event stream across lost connections: each try asks for what came after the last event
 * that was seen. Resolves when the signal aborts, or at the end of the stream without `reconnect`.
 *
 * @throws {HolonError} when the server refuses
 */
export async function follow(options: FollowOptions): Promise<void> {
  const { transport, url, signal, reconnect, pause = wait } = options;
  let after = options.after;
  let opened = false;
  let failures = 0;
  const onOpen = (newest: string | null) => {
    opened = true;
    after ??= newest;
    options.onOpen(newest);
  };
  const onFrame = (frame: Frame) => {
    if (frame.name === "holon_event") {
      if (frame.id !== undefined) after = frame.id;
      options.onEvent(frame.id, parse(frame.data));
    } else if (frame.name === "holon_gap") {
      const gap = parse(frame.data) as EventGap;
      // What is lost is told once: the next try asks for what is left.
      after = String(Math.max(0, gap.oldest - 1));
      options.onGap(gap);
    } else options.onOther?.(frame);
  };
  const onBytes = () => options.onAlive?.();
  while (!signal.aborted) {
    let wish = 0;
    opened = false;
    options.onAlive?.();
    try {
      await readStream({ transport, url, after, signal, onOpen, onFrame, onBytes });
      if (!reconnect) return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof HolonError) {
        if (!reconnect || !TRANSIENT.has(error.status)) throw error;
        wish = Math.min(error.retryAfter ?? 0, 60) * 1_000;
      } else if (!reconnect) return;
    }
    if (opened) failures = 0;
    const delay = DELAYS[Math.min(failures++, DELAYS.length - 1)]!;
    options.onDown?.();
    await pause(Math.max(delay, wish), signal);
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    throw badResponse(200);
  }
}

/** Waits; less when the signal aborts, the network is back or the page is looked at again. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      globalThis.removeEventListener?.("online", done);
      globalThis.document?.removeEventListener("visibilitychange", seen);
      resolve();
    };
    const seen = () => {
      if (document.visibilityState === "visible") done();
    };
    const timer = setTimeout(done, ms);
    if (signal.aborted) return done();
    signal.addEventListener("abort", done);
    globalThis.addEventListener?.("online", done);
    globalThis.document?.addEventListener("visibilitychange", seen);
  });
}
