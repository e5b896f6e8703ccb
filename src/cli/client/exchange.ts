/**
 * One HTTP exchange with a server over its socket, TCP or TLS: bounded in time until the answer
 * begins. Redirects are never followed, so that a token never goes elsewhere.
 *
 * @module
 */

import { type ClientRequest as Outgoing, type IncomingMessage, request as http } from "node:http";
import { request as https, type RequestOptions } from "node:https";
import { CliFailure } from "../failure.ts";
import { dialFailure } from "./dial_failure.ts";
import type { ClientTimeouts, Endpoint } from "./types.ts";

/** What is sent. */
export interface ExchangeRequest {
  readonly endpoint: Endpoint;
  readonly method: string;
  /** Path and query below the endpoint. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly timeouts: Pick<ClientTimeouts, "connectMs" | "openMs">;
  readonly signal: AbortSignal | undefined;
}

/** An answer that has begun. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  /** Breaks it off with a failure that whoever reads the body is given; ends the connection. */
  abort(error: Error): void;
}

/** How sentences name an endpoint. */
export function endpointName(endpoint: Endpoint): string {
  return endpoint.kind === "local" ? `the server of ${endpoint.home}` : endpoint.url;
}

/**
 * Sends a request and waits until the answer begins.
 *
 * @throws {ServerAbsent} when nothing listens on the socket
 * @throws {CliFailure} for every other failure, as a sentence
 */
export function openExchange(request: ExchangeRequest): Promise<Exchange> {
  const { endpoint, timeouts, signal } = request;
  const name = endpointName(endpoint);
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(interrupted());
    let failure: Error | null = null;
    const outgoing = dial(request);
    const abort = (error: Error): void => {
      failure ??= error;
      finish();
      reject(failure);
      outgoing.destroy(failure);
    };
    const interrupt = (): void => abort(interrupted());
    const connecting = setTimeout(() => {
      abort(
        new CliFailure(`${name} took no connection within ${seconds(timeouts.connectMs)}`, {
          hint: "Is the address right, and does a firewall let this machine through?",
        }),
      );
    }, Math.min(timeouts.connectMs, timeouts.openMs));
    const opening = setTimeout(() => {
      abort(
        new CliFailure(`${name} did not answer within ${seconds(timeouts.openMs)}`, {
          hint: "It may be overloaded or stopped: try again, or wait longer with --timeout.",
        }),
      );
    }, timeouts.openMs);
    const finish = (): void => {
      clearTimeout(connecting);
      clearTimeout(opening);
    };
    signal?.addEventListener("abort", interrupt, { once: true });
    outgoing.on("socket", (socket) => {
      if (!socket.connecting) return clearTimeout(connecting);
      socket.once("connect", () => clearTimeout(connecting));
    });
    outgoing.on("error", (error) => {
      finish();
      reject(failure ?? dialFailure(error, endpoint));
    });
    outgoing.on("close", () => signal?.removeEventListener("abort", interrupt));
    outgoing.on("response", (incoming) => {
      finish();
      // Whoever reads it is told; without a listener it would end the process.
      incoming.on("error", () => {});
      resolve({ incoming, abort });
    });
    outgoing.end(request.body ?? undefined);
  });
}

/** What to throw for an abort by whoever waits. */
export function interrupted(): CliFailure {
  return new CliFailure("it was broken off");
}

/** A length of time as people say it. */
export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

// --- internal ---

function dial({ endpoint, method, path, headers, body }: ExchangeRequest): Outgoing {
  const sent: Record<string, string> = {
    ...headers,
    ...(body === null ? {} : {
      "content-type": "application/json",
      "content-length": String(body.byteLength),
    }),
  };
  if (endpoint.kind === "local") {
    return http({
      socketPath: endpoint.socket,
      method,
      path,
      headers: { ...sent, host: "localhost" },
      agent: false,
    });
  }
  if (!path.startsWith("/")) throw new TypeError(`${JSON.stringify(path)} is no path`);
  // Behind the address and a slash nothing can name another origin.
  const url = new URL(endpoint.url + path);
  const options: RequestOptions = {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
    method,
    path: url.pathname + url.search,
    headers: { ...sent, host: url.host, authorization: `Bearer ${endpoint.token}` },
    agent: false,
  };
  return url.protocol === "https:" ? https(options) : http(options);
}
