/**
 * Reading an event stream of a server (WHATWG HTML §9.2).
 *
 * @module
 */

import { createParser } from "eventsource-parser";
import { CliFailure } from "../failure.ts";
import { type Exchange, seconds } from "./exchange.ts";
import type { EventStream, ServerEvent } from "./types.ts";

/** The largest event, in characters. */
const MAX_EVENT = 4 * 1024 * 1024;

/** How to read it. */
export interface EventStreamOptions {
  /** How sentences name the server. */
  readonly name: string;
  /** Without a byte, in ms. */
  readonly idleMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Makes an {@linkcode EventStream} of an answer that has begun. */
export function readEventStream(exchange: Exchange, options: EventStreamOptions): EventStream {
  const closed = new AbortController();
  const close = (): void => {
    if (closed.signal.aborted) return;
    closed.abort();
    exchange.abort(new CliFailure("the event stream was closed"));
  };
  if (options.signal?.aborted === true) close();
  options.signal?.addEventListener("abort", close, { once: true });
  const newest = exchange.incoming.headers["x-holon-newest-event-id"];
  return {
    newestEventId: typeof newest === "string" ? newest : null,
    close,
    async *[Symbol.asyncIterator]() {
      try {
        yield* events(exchange, options, closed.signal);
      } finally {
        options.signal?.removeEventListener("abort", close);
        close();
      }
    },
  };
}

// --- internal ---

async function* events(
  { incoming, abort }: Exchange,
  { name, idleMs }: EventStreamOptions,
  closed: AbortSignal,
): AsyncGenerator<ServerEvent> {
  let failure: Error | null = null;
  const fail = (error: Error): void => void (failure ??= error);
  const ready: ServerEvent[] = [];
  const parser = createParser({
    maxBufferSize: MAX_EVENT,
    onEvent: ({ event, id, data }) => ready.push({ event: event ?? "message", id, data }),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") {
        fail(new CliFailure(`${name} sent an event of more than 4 Mi characters`));
      }
    },
  });
  const stall = (): void => {
    fail(new CliFailure(`${name} has sent nothing for ${seconds(idleMs)}`));
    abort(failure!);
  };
  const decoder = new TextDecoder();
  let watchdog = setTimeout(stall, idleMs);
  try {
    for await (const chunk of incoming as AsyncIterable<Uint8Array>) {
      // A reader that takes its time is no silence of the server's.
      clearTimeout(watchdog);
      parser.feed(decoder.decode(chunk, { stream: true }));
      if (failure !== null) throw failure;
      for (const event of ready.splice(0)) {
        if (closed.aborted) return;
        yield event;
      }
      watchdog = setTimeout(stall, idleMs);
    }
  } catch (error) {
    if (closed.aborted) return;
    if (failure !== null) throw failure;
    throw new CliFailure(`${name} broke off its event stream`, { cause: error });
  } finally {
    clearTimeout(watchdog);
  }
  if (failure !== null && !closed.aborted) throw failure;
}
