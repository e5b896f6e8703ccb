/**
 * Connections to a server: over its socket, or at a URL with a token.
 *
 * @module
 */

import { mediaType, notHolon, readAnswer, refuseRedirect, requireOk } from "./answer.ts";
import { readEventStream } from "./event_stream.ts";
import { endpointName, type ExchangeRequest, openExchange } from "./exchange.ts";
import type {
  ClientAnswer,
  ClientRequest,
  ClientTimeouts,
  Connection,
  Endpoint,
  EventStream,
  StreamRequest,
} from "./types.ts";

/** For the socket of this machine. */
export const LOCAL_TIMEOUTS: ClientTimeouts = {
  connectMs: 5_000,
  openMs: 10_000,
  totalMs: 30_000,
  idleMs: 45_000,
};

/** For another machine: shorter, so that a wrong address is told soon. */
export const REMOTE_TIMEOUTS: ClientTimeouts = {
  connectMs: 3_000,
  openMs: 6_000,
  totalMs: 30_000,
  idleMs: 45_000,
};

/** A connection to the server of a home. Nothing is dialled yet. */
export function localConnection(
  paths: { readonly home: string; readonly socket: string },
  timeouts: Partial<ClientTimeouts> = {},
): Connection {
  const endpoint = { kind: "local", home: paths.home, socket: paths.socket } as const;
  return connectionTo(endpoint, { ...LOCAL_TIMEOUTS, ...timeouts });
}

/**
 * A connection to a URL. The token goes to that origin alone. Nothing is dialled yet.
 *
 * @param url as `readClientUrl()` gives it
 */
export function remoteConnection(
  url: string,
  token: string,
  timeouts: Partial<ClientTimeouts> = {},
): Connection {
  return connectionTo({ kind: "remote", url, token }, { ...REMOTE_TIMEOUTS, ...timeouts });
}

// --- internal ---

function connectionTo(endpoint: Endpoint, timeouts: ClientTimeouts): Connection {
  const name = endpointName(endpoint);

  async function send(request: ClientRequest): Promise<ClientAnswer> {
    const { method, path, body, signal, timeoutMs } = request;
    const openMs = timeoutMs ?? timeouts.openMs;
    const totalMs = timeoutMs ?? Math.max(timeouts.totalMs, openMs);
    const began = performance.now();
    const exchange = await openExchange({
      endpoint,
      method,
      path,
      headers: { ...request.headers, accept: "application/json" },
      body: body === undefined ? null : new TextEncoder().encode(JSON.stringify(body)),
      timeouts: { connectMs: timeouts.connectMs, openMs },
      signal,
    });
    const remainingMs = totalMs - (performance.now() - began);
    return await readAnswer(exchange, { name, remainingMs, totalMs, signal });
  }

  async function stream({ path, lastEventId, signal }: StreamRequest): Promise<EventStream> {
    const request: ExchangeRequest = {
      endpoint,
      method: "GET",
      path,
      headers: {
        accept: "text/event-stream, application/json",
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      },
      body: null,
      timeouts,
      signal,
    };
    const exchange = await openExchange(request);
    const { incoming, abort } = exchange;
    const type = mediaType(incoming);
    if (incoming.statusCode === 200 && type === "text/event-stream") {
      return readEventStream(exchange, { name, idleMs: timeouts.idleMs, signal });
    }
    try {
      refuseRedirect(incoming, name);
      if (type === "application/json" && incoming.statusCode !== 200) {
        const { totalMs } = timeouts;
        requireOk(await readAnswer(exchange, { name, remainingMs: totalMs, totalMs, signal }));
      }
      throw notHolon(name, `answered ${incoming.statusCode} with ${type || "no type"}`);
    } catch (error) {
      abort(error as Error);
      throw error;
    }
  }

  return {
    kind: endpoint.kind,
    name,
    url: endpoint.kind === "remote" ? endpoint.url : null,
    send,
    stream,
  };
}
