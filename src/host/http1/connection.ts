/**
 * One connection: requests one after the other, each with its body, its response and its time-outs.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { FAULT_STATUS } from "../../fault.ts";
import type { Moment } from "../moment.ts";
import type { BodyOutcome, ConnectionInfo, SocketAddress } from "../types.ts";
import type { ConnectionServer } from "./connection_server.ts";
import { clientGone, type CurrentRequest, currentRequest } from "./current_request.ts";
import type { Exchange, SendResult } from "./exchange.ts";
import { type Refusal, refusalResponse, wantsPage } from "./refusal.ts";
import { makeRequest } from "./request.ts";
import type { RequestHead } from "./request_head.ts";
import { RequestParser } from "./request_parser.ts";
import { discardResponse, writeResponse } from "./response_writer.ts";
import { SendProgress } from "./send_progress.ts";
import { Wire } from "./wire.ts";

/** Bytes of further requests that are held while one is answered. */
const PIPELINE_LIMIT = 64 * 1024;
/** An unread request body up to this size is read away to keep the connection. */
const DRAIN_LIMIT = 64 * 1024;
/** How long a client may go on sending after the last response, so that it can read that. */
const LINGER_MS = 5_000;
const CONTINUE = Buffer.from("HTTP/1.1 100 Continue\r\n\r\n", "latin1");
const EMPTY = Buffer.alloc(0);

/** The connection's own names, given to each handler. */
export interface Endpoints {
  readonly transport: "tcp" | "unix";
  readonly peer: SocketAddress | null;
  readonly local: SocketAddress | null;
}

/**
 * `head`: a request is awaited; `exchange`: one is being answered; `drain`: it is answered, and the
 * rest of its body is being thrown away; `closing`: all is said.
 */
type Phase = "closed" | "closing" | "drain" | "exchange" | "head";

/** One accepted socket. It registers its own handlers and removes itself when it is closed. */
export class Connection {
  readonly wire: Wire;
  readonly endpoints: Endpoints;
  readonly #socket: Socket;
  readonly #server: ConnectionServer;
  readonly #parser: RequestParser;
  #current: CurrentRequest | null = null;
  #phase: Phase = "head";
  #held: Buffer[] = [];
  #heldBytes = 0;
  #finReceived = false;
  #closeAnnounced = false;
  /** When what is waited for has to have come in. */
  #deadline: number;

  constructor(socket: Socket, endpoints: Endpoints, server: ConnectionServer) {
    this.#socket = socket;
    this.#server = server;
    this.endpoints = endpoints;
    this.#parser = new RequestParser(server.limits, server.fields);
    const buffered = endpoints.transport === "tcp";
    this.wire = new Wire(socket, new SendProgress(server.clock, server.limits, buffered));
    this.#deadline = server.clock.monotonic() + server.limits.headersTimeoutMs;
    socket.on("data", (chunk: Buffer) => this.#onData(chunk));
    socket.on("end", () => this.#onFin());
    socket.on("error", () => this.#onGone());
    socket.on("close", () => this.#onGone());
  }

  /** Whether it is the client's turn: to send a request, or the rest of one. */
  get awaitsClient(): boolean {
    if (this.#phase === "head") return true;
    return this.#phase === "exchange" && this.#current?.body.wanted === true;
  }

  /** Answers without reading, because there is no room for this connection. */
  refuse(refusal: Refusal): void {
    this.#phase = "closing";
    void this.#refuseUnseen(refusal, false);
  }

  /** Closes as soon as the request under way is answered; at once when there is none. */
  shutdown(): void {
    if (this.#phase !== "head") return;
    this.#phase = "closing";
    this.#wait(LINGER_MS);
    // Nothing was sent that the client has yet to read, so there is nothing to wait for.
    this.#socket.end(() => this.cut());
  }

  /** Cuts the connection. */
  cut(): void {
    this.#socket.destroy();
    this.#onGone();
  }

  /** Looks at the time-outs. */
  checkTime(now: number): void {
    if (this.wire.progress.overdue(now)) {
      this.wire.leave("timed_out");
      // The kernel would otherwise keep up to 4 MiB for a reader that doesn't read.
      this.wire.reset();
      this.#onGone();
      return;
    }
    if (now < this.#deadline) return;
    this.#deadline = Infinity;
    if (this.#phase === "closing") return this.cut();
    if (this.#phase === "drain") return this.#close();
    if (this.#phase === "exchange") {
      // The reader may have given up since.
      if (this.#current?.body.wanted !== true) return;
      return this.#refuseCurrent({
        code: "request_timeout",
        message: "The request body stopped coming in",
      }, "timed_out");
    }
    if (!this.#parser.started) return this.#close();
    this.#refuseHead({
      code: "request_timeout",
      message: "The request's headers did not come in in time",
    }, "");
  }

  // --- reading ---

  #onData(chunk: Buffer): void {
    if (this.#phase === "head") return this.#feed(chunk);
    if (this.#phase !== "exchange" && this.#phase !== "drain") return;
    const rest = this.#feedBody(chunk);
    if (rest !== null) this.#hold(rest);
    if (this.#phase === "drain" && this.#current?.body.complete) this.#nextRequest();
    else this.#adjustFlow();
  }

  #feed(chunk: Buffer): void {
    const fresh = !this.#parser.started;
    const step = this.#parser.push(chunk);
    if (step.kind === "refused") return this.#refuseHead(step.refusal, step.text);
    if (step.kind === "head") return this.#begin(step.head, step.rest);
    if (fresh && this.#parser.started) this.#wait(this.#server.limits.headersTimeoutMs);
  }

  /** Gives the current body its bytes and returns what is left; `null` after a refusal. */
  #feedBody(chunk: Buffer): Buffer | null {
    const current = this.#current;
    if (current === null || current.bodyBroken) return null;
    const { body } = current;
    if (body.complete) return chunk;
    const rest = body.push(chunk);
    if ("code" in rest) {
      this.#refuseCurrent(rest, "failed");
      return null;
    }
    if (this.#phase === "exchange") this.#deadline = Infinity;
    if (this.#phase === "drain" || body.wanted) this.#wait(this.#server.limits.bodyTimeoutMs);
    return rest;
  }

  #hold(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
  }

  /** Stops reading from a client that sends more than is being used, and starts again. */
  #adjustFlow(): void {
    const full = this.#phase === "exchange" &&
      (this.#heldBytes >= PIPELINE_LIMIT || this.#current?.body.full === true);
    if (full) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #onFin(): void {
    this.#finReceived = true;
    const current = this.#current;
    if (this.#phase === "closed") return;
    if (this.#phase !== "exchange" || current === null) return this.#close();
    if (!current.body.complete) {
      current.aborter.abort(clientGone());
      return this.#refuseCurrent({
        code: "bad_request",
        message: "The request body ended before its length",
      }, "client_gone");
    }
    // A client that has only sent all it wants gets its whole response; of an event stream, which
    // has no end to wait for, nobody is left to read.
    if (current.eventStream) this.#leave();
  }

  /** Ends the response under way as if the client were gone; what was written still goes out. */
  #leave(): void {
    this.#current?.aborter.abort(clientGone());
    this.wire.leave("client_gone");
  }

  #onGone(): void {
    if (this.#phase === "closed") return;
    this.#phase = "closed";
    this.#deadline = Infinity;
    this.wire.leave("client_gone");
    const error = clientGone();
    this.#current?.body.fail(error);
    this.#current?.aborter.abort(error);
    this.#current?.resolveEnded(this.wire.end ?? "client_gone");
    this.#held = [];
    this.#server.removed(this);
  }

  // --- one exchange ---

  #begin(head: RequestHead, rest: Buffer): void {
    this.#phase = "exchange";
    this.#deadline = Infinity;
    this.#closeAnnounced = false;
    const current = currentRequest(head, () => this.#onDemand());
    this.#current = current;
    const left = this.#feedBody(rest);
    if (left !== null) this.#hold(left);
    this.#adjustFlow();
    this.#server.arrivals.add((moment) => void this.#answer(current, moment));
  }

  /** A handler waits for a piece of the body. */
  #onDemand(): void {
    const current = this.#current;
    if (current === null || this.#phase !== "exchange") return;
    if (current.head.expectsContinue && !current.continueSent && !current.headSent) {
      current.continueSent = true;
      void this.wire.send(CONTINUE);
    }
    this.#wait(this.#server.limits.bodyTimeoutMs);
    this.#adjustFlow();
  }

  async #answer(current: CurrentRequest, moment: Moment): Promise<void> {
    if (current.refused !== null) return;
    const { onError } = this.#server;
    let response: Response;
    try {
      const request = makeRequest(current.head, current.body, () => current.aborter.signal);
      const { target, host } = current.head;
      const { ended } = current;
      const before = this.wire.sent;
      const bytesSent = () => this.wire.sent - before;
      const { transport, peer, local } = this.endpoints;
      const info: ConnectionInfo = {
        target,
        host,
        transport,
        peer,
        local,
        ended,
        refusal: () => current.refusal,
        bytesSent,
        moment,
        sendsFiles: true,
      };
      response = await this.#server.fetch(request, info);
      if (!(response instanceof Response)) throw new TypeError("A handler gave no Response");
    } catch (error) {
      onError(error);
      response = internalError();
    }
    const end = current.refused ?? this.wire.end;
    if (end !== null) {
      discardResponse(response, onError);
      current.resolveEnded(end);
      return;
    }
    current.responding = true;
    const result = await this.#send(response, current);
    current.resolveEnded(result.outcome);
    if (this.#phase === "exchange") this.#afterResponse(current, result);
  }

  async #send(response: Response, current: CurrentRequest): Promise<SendResult> {
    const exchange = this.#exchangeOf(current);
    const before = this.wire.writes;
    try {
      return await writeResponse(response, exchange);
    } catch (error) {
      this.#server.onError(error);
    }
    if (this.wire.writes > before) this.wire.destroy();
    else await writeResponse(internalError(), exchange).catch(this.#server.onError);
    return { outcome: "failed", reusable: false };
  }

  #exchangeOf(current: CurrentRequest): Exchange {
    const { method, minorVersion } = current.head;
    return {
      ...this.#exchangeBase(),
      method,
      minorVersion,
      keepAlive: () => {
        current.headSent = true;
        this.#closeAnnounced = !this.#mayKeepAlive(current);
        return !this.#closeAnnounced;
      },
      onEventStream: () => {
        current.eventStream = true;
        if (this.#finReceived) this.#leave();
      },
    };
  }

  #exchangeBase(): Exchange {
    const { clock, onError } = this.#server;
    return {
      method: "GET",
      minorVersion: 1,
      wire: this.wire,
      clock,
      readAtOnce: this.#server.readAtOnce(),
      keepAlive: () => false,
      onEventStream: () => {},
      onError,
    };
  }

  #mayKeepAlive({ head, body, bodyBroken, continueSent }: CurrentRequest): boolean {
    if (!head.keepAlive || bodyBroken || this.#server.closing()) return false;
    if (this.#finReceived && this.#heldBytes === 0) return false;
    // Without 100 Continue nobody knows whether the client will send the body.
    if (head.expectsContinue && !continueSent && !body.complete) return false;
    return body.remaining <= DRAIN_LIMIT;
  }

  #afterResponse(current: CurrentRequest, result: SendResult): void {
    this.wire.progress.timed = true;
    if (!result.reusable || this.#closeAnnounced || current.bodyBroken) return this.#close();
    if (current.body.complete) return this.#nextRequest();
    this.#phase = "drain";
    current.body.discard();
    this.#wait(this.#server.limits.bodyTimeoutMs);
    this.#adjustFlow();
  }

  #nextRequest(): void {
    if (this.#phase !== "exchange" && this.#phase !== "drain") return;
    this.#phase = "head";
    this.#current = null;
    if (this.#server.closing()) return this.#close();
    const held = this.#heldBytes === 0 ? EMPTY : Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    this.#wait(this.#server.limits.keepAliveTimeoutMs);
    if (held.length > 0) this.#feed(held);
    if (this.#phase === "head" && this.#finReceived) return this.#close();
    this.#adjustFlow();
  }

  // --- refusing and closing ---

  #refuseHead(refusal: Refusal, text: string): void {
    this.#phase = "closing";
    void this.#refuseUnseen(refusal, wantsPage(text));
  }

  /** Refuses what no handler will see. */
  async #refuseUnseen(refusal: Refusal, asPage: boolean): Promise<void> {
    const before = this.wire.sent;
    const outcome = await this.#sendRefusal(refusal, asPage);
    const { code } = refusal;
    const { peer } = this.endpoints;
    const bytes = this.wire.sent - before;
    this.#server.onRefused({ code, status: FAULT_STATUS[code], peer, bytes, outcome });
  }

  /** The body can't be had: answers in the handler's place, unless that has begun to answer. */
  #refuseCurrent(refusal: Refusal, outcome: BodyOutcome): void {
    const current = this.#current!;
    current.bodyBroken = true;
    current.body.fail(new Error(refusal.message));
    if (this.#phase === "drain") return this.#close();
    if (current.refused !== null || current.responding) return;
    current.refused = outcome;
    current.refusal = { code: refusal.code, status: FAULT_STATUS[refusal.code] };
    current.resolveEnded(outcome);
    this.#phase = "closing";
    void this.#sendRefusal(refusal, false);
  }

  async #sendRefusal(refusal: Refusal, asPage: boolean): Promise<BodyOutcome> {
    this.#deadline = Infinity;
    const response = refusalResponse(refusal, asPage);
    let outcome: BodyOutcome = "failed";
    try {
      ({ outcome } = await writeResponse(response, this.#exchangeBase()));
    } catch (error) {
      this.#server.onError(error);
    }
    this.#close();
    return outcome;
  }

  /**
   * Closes so that the client can read what was sent: FIN first, then what it still sends is thrown
   * away for a while, since closing with unread input makes the kernel send RST, which can overtake
   * the response (RFC 9112 §9.6).
   */
  #close(): void {
    if (this.#phase === "closed") return;
    this.#phase = "closing";
    this.#held = [];
    this.#current?.body.discard();
    this.#wait(LINGER_MS);
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#finReceived) this.#socket.end(() => this.cut());
    else this.#socket.end();
  }

  #wait(ms: number): void {
    this.#deadline = this.#server.clock.monotonic() + ms;
  }
}

function internalError(): Response {
  const message = "Holon failed to answer this request; its log says why";
  return refusalResponse({ code: "runtime_error", message }, false);
}
