/**
 * The request that a connection is busy with.
 *
 * @module
 */

import type { BodyOutcome, ListenerRefusal } from "../types.ts";
import { RequestBody } from "./request_body.ts";
import type { RequestHead } from "./request_head.ts";

/** A request under way, and how far it has come. */
export interface CurrentRequest {
  readonly head: RequestHead;
  readonly body: RequestBody;
  readonly aborter: AbortController;
  /** Resolves once the response has ended, by {@linkcode CurrentRequest.resolveEnded}. */
  readonly ended: Promise<BodyOutcome>;
  readonly resolveEnded: (outcome: BodyOutcome) => void;
  /** Set when the listener has answered in the handler's place. */
  refused: BodyOutcome | null;
  /** Why it has. */
  refusal: ListenerRefusal | null;
  /** The handler has given its response. */
  responding: boolean;
  headSent: boolean;
  eventStream: boolean;
  continueSent: boolean;
  /** The rest of the body can't be made out any more. */
  bodyBroken: boolean;
}

/**
 * A request that was just received.
 *
 * @param onDemand called when a reader waits for bytes of the body
 */
export function currentRequest(head: RequestHead, onDemand: () => void): CurrentRequest {
  const { promise, resolve } = Promise.withResolvers<BodyOutcome>();
  let aborter: AbortController | undefined;
  return {
    head,
    body: new RequestBody(head.framing, onDemand),
    // Made when it is asked for: few handlers are interested, and it costs more than the rest.
    get aborter() {
      return aborter ??= new AbortController();
    },
    ended: promise,
    resolveEnded: resolve,
    refused: null,
    refusal: null,
    responding: false,
    headSent: false,
    eventStream: false,
    continueSent: false,
    bodyBroken: false,
  };
}

/** What aborts a request whose client is gone. */
export function clientGone(): DOMException {
  return new DOMException("The client is gone", "AbortError");
}
