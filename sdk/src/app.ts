import type {
  AppContext,
  EventsOptions,
  HolonApp,
  RequestOptions,
  RequestReceipt,
} from "../holon.d.ts";
import { call, type Transport } from "./call.ts";
import { eventsOf } from "./events.ts";
import type { SharedStream } from "./shared_stream.ts";

/** Version of the protocol between SDK and server. */
const VERSION = "1";

/**
 * Makes the object that apps use.
 *
 * @param base the app's root, with a slash at its end
 * @param shared makes the stream that this browser's pages share; gives `null` where they can't
 */
export function appAt(
  base: string,
  transport: Transport,
  shared: (url: string) => SharedStream | null,
): HolonApp {
  const eventsUrl = new URL("events", base).href;
  let stream: SharedStream | null | undefined;
  let ready: Promise<void> = Promise.resolve();
  return Object.freeze<HolonApp>({
    version: VERSION,
    context: () => call<AppContext>(transport, new URL("context", base).href),
    request: async (
      type: string,
      payload?: unknown,
      requestId?: string,
      { idempotencyKey }: RequestOptions = {},
    ) => {
      // An app that listens first and sends then must see what becomes of what it sent.
      await ready;
      const body = {
        version: VERSION,
        request_type: type,
        payload: payload ?? null,
        request_id: requestId,
      };
      const headers: Record<string, string> = idempotencyKey === undefined
        ? {}
        : { "idempotency-key": idempotencyKey };
      return call<RequestReceipt>(transport, new URL("request", base).href, body, headers);
    },
    events: (options: EventsOptions = {}) => {
      if (stream === undefined) stream = shared(eventsUrl);
      return eventsOf(transport, eventsUrl, stream, options, (opened) => ready = opened);
    },
  });
}

/** Calls as a page of the same origin makes them: the session cookie goes along. */
export const PAGE_TRANSPORT: Transport = {
  // Looked up at each call: tests and service tools replace it.
  fetch: (input, init) => globalThis.fetch(input, init),
  headers: {},
};
