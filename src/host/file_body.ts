/**
 * The side channel by which a listener finds the file range behind a response.
 *
 * @module
 */

import type { FileBody } from "./types.ts";

const bodies = new WeakMap<Response, FileBody>();

/** Notes that a response sends this file range. The response must not be wrapped afterwards. */
export function attachFileBody(response: Response, body: FileBody): void {
  bodies.set(response, body);
}

/** Takes the file range behind a response; a second call for the same response gives nothing. */
export function takeFileBody(response: Response): FileBody | undefined {
  const body = bodies.get(response);
  bodies.delete(response);
  return body;
}
