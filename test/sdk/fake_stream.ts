/**
 * A server of event streams in memory: a `fetch` whose answers a test writes by hand.
 *
 * @module
 */

/** One call that came in. */
export interface FakeCall {
  readonly url: string;
  readonly headers: Headers;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
  /** Answers with an event stream that stays open. */
  stream(headers?: Record<string, string>): FakeConnection;
  /** Answers with JSON. */
  json(status: number, value: unknown, headers?: Record<string, string>): void;
  /** Answers with anything. */
  respond(response: Response): void;
  /** Fails as when there is no server. */
  fail(): void;
}

/** The server's end of a stream. */
export interface FakeConnection {
  /** Sends text as it is. */
  send(text: string): void;
  /** Sends an event of an app. */
  event(sequence: number, type?: string): void;
  /** Ends the stream. */
  end(): void;
  /** Breaks it. */
  cut(): void;
}

/** A `fetch`, and the calls that it gets. */
export class FakeServer {
  readonly #calls: FakeCall[] = [];
  readonly #waiting: ((call: FakeCall) => void)[] = [];
  /** Count of calls so far. */
  count = 0;

  readonly fetch: typeof globalThis.fetch = (input, init) =>
    new Promise((resolve, reject) => {
      const signal = init?.signal ?? undefined;
      signal?.addEventListener("abort", () => reject(signal.reason));
      if (signal?.aborted) return reject(signal.reason);
      this.count++;
      const call: FakeCall = {
        url: String(input),
        headers: new Headers(init?.headers),
        body: typeof init?.body === "string" ? JSON.parse(init.body) : undefined,
        signal,
        respond: resolve,
        fail: () => reject(new TypeError("no server")),
        json: (status, value, headers = {}) => resolve(Response.json(value, { status, headers })),
        stream: (headers) => {
          const { response, connection } = openStream(signal, headers);
          resolve(response);
          return connection;
        },
      };
      const waiting = this.#waiting.shift();
      if (waiting === undefined) this.#calls.push(call);
      else waiting(call);
    });

  /** The next call; waits for it. */
  next(): Promise<FakeCall> {
    const call = this.#calls.shift();
    if (call !== undefined) return Promise.resolve(call);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** The frame of an app's event. */
export function frameOf(sequence: number, type = "message_enqueued"): string {
  const event = {
    sequence,
    type,
    timestamp: "2026-01-01T00:00:00.000Z",
    message_id: `m${sequence}`,
  };
  const data = { version: "1", agent_id: "main", app_id: "a", event };
  return `id: ${sequence}\nevent: holon_event\ndata: ${JSON.stringify(data)}\n\n`;
}

function openStream(
  signal: AbortSignal | undefined,
  headers: Record<string, string> = {},
): { response: Response; connection: FakeConnection } {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (it) => void (controller = it) });
  const encoder = new TextEncoder();
  const send = (text: string) => controller.enqueue(encoder.encode(text));
  signal?.addEventListener("abort", () => {
    try {
      controller.error(signal.reason);
    } catch {
      // Ended before.
    }
  });
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream", ...headers } }),
    connection: {
      send,
      event: (sequence, type) => send(frameOf(sequence, type)),
      end: () => controller.close(),
      cut: () => controller.error(new TypeError("cut")),
    },
  };
}
