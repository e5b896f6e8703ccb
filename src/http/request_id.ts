/**
 * Ids of requests.
 *
 * @module
 */

/**
 * Makes a source of ids: short, never the same twice, and not to be mixed up with those of another
 * run. They are no secret and cost next to nothing, unlike a UUID.
 */
export function createRequestIds(): () => string {
  const random = crypto.getRandomValues(new Uint32Array(2));
  const run = Array.from(random, (part) => part.toString(36).padStart(7, "0")).join("");
  let count = 0;
  return () => `${run}-${(++count).toString(36)}`;
}
