/**
 * Why a home can't be used by this process.
 *
 * @module
 */

/** What is in the way. */
export type HomeErrorCode = "database_too_new" | "home_in_use" | "home_unusable";

/**
 * A home can't be used. The message is one sentence for the person at the terminal; it may name
 * files of the home, so it is never sent to a client.
 */
export class HomeError extends Error {
  override readonly name = "HomeError";
  readonly code: HomeErrorCode;

  constructor(code: HomeErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
