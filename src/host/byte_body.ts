/**
 * The side channel by which a listener finds the bytes behind a response, so that it needn't read
 * them from a stream again.
 *
 * @module
 */

const bodies = new WeakMap<Response, Uint8Array>();

/** Notes that a response was made of these bytes; they must not be changed afterwards. */
export function attachByteBody(response: Response, bytes: Uint8Array): void {
  bodies.set(response, bytes);
}

/** The bytes behind a response; `undefined` where only its stream knows, or where that is read. */
export function byteBodyOf(response: Response): Uint8Array | undefined {
  const bytes = bodies.get(response);
  return bytes === undefined || response.bodyUsed ? undefined : bytes;
}
