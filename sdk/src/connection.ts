import { createParser } from "eventsource-parser";
import type { Transport } from "./call.ts";
import { badResponse, refusalOf, unreachable } from "./error.ts";

/** Holon sends a heartbeat every 15 s: three missed ones mean that the connection is dead. */
const STALL_MS = 45_000;

/** A frame of an event stream. */
export interface Frame {
  readonly name: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** What to read and whom to tell. */
export interface ConnectionOptions {
  readonly transport: Transport;
  readonly url: string;
  /** Sent as `Last-Event-ID`. */
  readonly after: string | null;
  readonly signal: AbortSignal;
  /** The server has agreed; `newest` is the newest event's id where it says so. */
  readonly onOpen: (newest: string | null) => void;
  readonly onFrame: (frame: Frame) => void;
  /** Bytes came, a heartbeat at least. */
  readonly onBytes: () => void;
}

/**
 * Reads an event stream once, until the server ends it.
 *
 * @throws {HolonError} when it is refused or can't be reached; anything when it breaks or stalls
 */
export async function readStream(options: ConnectionOptions): Promise<void> {
  const { transport, signal } = options;
  const connection = new AbortController();
  const stop = () => connection.abort();
  signal.addEventListener("abort", stop);
  let watchdog = setTimeout(stop, STALL_MS);
  try {
    const headers: Record<string, string> = { accept: "text/event-stream", ...transport.headers };
    if (options.after !== null) headers["last-event-id"] = options.after;
    const response = await transport.fetch(options.url, {
      headers,
      credentials: "same-origin",
      cache: "no-store",
      signal: connection.signal,
    }).catch((cause: unknown) => {
      throw unreachable(cause);
    });
    if (!response.ok) throw await refusalOf(response);
    const type = response.headers.get("content-type") ?? "";
    if (!type.startsWith("text/event-stream") || response.body === null) {
      throw badResponse(response.status);
    }
    options.onOpen(response.headers.get("x-holon-newest-event-id"));
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent: ({ event, id, data }) => options.onFrame({ name: event ?? "message", id, data }),
    });
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      clearTimeout(watchdog);
      watchdog = setTimeout(stop, STALL_MS);
      options.onBytes();
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(watchdog);
    signal.removeEventListener("abort", stop);
    stop();
  }
}
