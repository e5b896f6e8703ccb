/**
 * A response of status and headers, whose body, if any, the listener knows by another way: to make
 * the runtimes' own costs more than to send it.
 *
 * @module
 */

import type { FileBody } from "../types.ts";
import { type Standin, standInFor } from "./forward.ts";
import { type FieldMap, lightHeaders } from "./light_headers.ts";

/** What fetch calls a `Response`, without a body of its own. */
export class LightResponse implements Standin<Response> {
  readonly status: number;
  readonly headers: Headers;
  /** The file range to send; taken by the listener. */
  file: FileBody | undefined;
  #genuine: Response | undefined;

  constructor(status: number, fields: FieldMap) {
    this.status = status;
    this.headers = lightHeaders(fields);
  }

  get body(): ReadableStream<Uint8Array> | null {
    return null;
  }

  genuine(): Response {
    const { status, headers } = this;
    return this.#genuine ??= new Response(null, { status, headers: [...headers] });
  }
}

standInFor<Response>(LightResponse, Response);

/** A light response as the type that code is written for. */
export function lightResponse(status: number, fields: FieldMap): Response {
  return new LightResponse(status, fields) as unknown as Response;
}
