/**
 * A response of status and headers, whose body, if any, is bytes or is known to the listener by
 * another way: to make the runtimes' own costs more than to send it.
 *
 * @module
 */

import type { FileBody } from "../types.ts";
import { type Standin, standInFor } from "./forward.ts";
import { type FieldMap, lightHeaders } from "./light_headers.ts";

/** What fetch calls a `Response`. */
export class LightResponse implements Standin<Response> {
  readonly status: number;
  readonly headers: Headers;
  /** All of the body, where it is bytes; they must not be changed. */
  readonly bytes: Uint8Array<ArrayBuffer> | null;
  /** The file range to send; taken by the listener. */
  file: FileBody | undefined;
  #genuine: Response | undefined;

  constructor(status: number, fields: FieldMap, bytes: Uint8Array<ArrayBuffer> | null) {
    this.status = status;
    this.headers = lightHeaders(fields);
    this.bytes = bytes;
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.bytes === null ? null : this.genuine().body;
  }

  genuine(): Response {
    const { status, headers, bytes } = this;
    return this.#genuine ??= new Response(bytes, { status, headers: [...headers] });
  }
}

standInFor<Response>(LightResponse, Response);

/** A light response as the type that code is written for. */
export function lightResponse(
  status: number,
  fields: FieldMap,
  bytes: Uint8Array<ArrayBuffer> | null = null,
): Response {
  return new LightResponse(status, fields, bytes) as unknown as Response;
}

/** The bytes of a response that is made of them; `null` where only its stream knows. */
export function bytesOfResponse(response: Response): Uint8Array | null {
  return response instanceof LightResponse ? response.bytes : null;
}

/** A response that the runtime itself can send. */
export function genuineResponse(response: Response): Response {
  return response instanceof LightResponse ? response.genuine() : response;
}
