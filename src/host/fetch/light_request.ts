/**
 * The request that a handler is given: method and headers are there at once, and the runtime's own
 * `Request`, which costs as much as all the rest, is made for those who ask for more.
 *
 * @module
 */

import { type Standin, standInFor } from "./forward.ts";
import { type FieldMap, lightHeaders } from "./light_headers.ts";

/** What a request is made of. */
export interface RequestParts {
  readonly method: string;
  /** Fields by their names in lower case; shared, and never changed. */
  readonly fields: FieldMap;
  /** Makes the runtime's own request; called once at most. */
  readonly genuine: () => Request;
  /** Takes the body where it has come in already; `null` for one that hasn't. */
  readonly takeBody: () => Uint8Array | null;
  /** Gives what aborts when the client is gone. */
  readonly signal: () => AbortSignal;
}

/** What fetch calls a `Request`. It can't be passed on to `fetch` or `new Request`. */
export class LightRequest implements Standin<Request> {
  readonly method: string;
  readonly headers: Headers;
  readonly #parts: RequestParts;
  #genuine: Request | undefined;

  constructor(parts: RequestParts) {
    this.method = parts.method;
    this.headers = lightHeaders(parts.fields, true);
    this.#parts = parts;
  }

  get signal(): AbortSignal {
    return this.#parts.signal();
  }

  takeBody(): Uint8Array | null {
    return this.#genuine === undefined ? this.#parts.takeBody() : null;
  }

  genuine(): Request {
    return this.#genuine ??= this.#parts.genuine();
  }
}

standInFor<Request>(LightRequest, Request);

/**
 * The body of a request where that is known to have come in already, without the price of a stream;
 * it is used up then. `null` where it has to be read.
 */
export function takeReceivedBody(request: Request): Uint8Array | null {
  return request instanceof LightRequest ? request.takeBody() : null;
}

/** A light request as the type that code is written for. */
export function lightRequest(parts: RequestParts): Request {
  return new LightRequest(parts) as unknown as Request;
}
