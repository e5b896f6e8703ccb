/**
 * The side channel by which a listener finds the file range behind a response.
 *
 * @module
 */

import { LightResponse } from "./fetch/light_response.ts";
import type { FileBody } from "./types.ts";

const bodies = new WeakMap<Response, FileBody>();

/** Notes that a response sends this file range. The response must not be wrapped afterwards. */
export function attachFileBody(response: Response, body: FileBody): void {
  if (response instanceof LightResponse) response.file = body;
  else bodies.set(response, body);
}

/** Takes the file range behind a response; a second call for the same response gives nothing. */
export function takeFileBody(response: Response): FileBody | undefined {
  if (response instanceof LightResponse) {
    const { file } = response;
    response.file = undefined;
    return file;
  }
  const body = bodies.get(response);
  bodies.delete(response);
  return body;
}
