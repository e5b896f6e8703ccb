/**
 * How a running server is reached.
 *
 * @module
 */

/** Where it listens and what it tells others of that. */
export interface Reach {
  /** `local`, `tunnel`, `lan` or `tailnet`. */
  readonly access: string;
  /** Addresses with the ports that were taken, the main one first, e.g. `127.0.0.1:7878`. */
  readonly listen: readonly string[];
  /** The URL that clients are told to dial; `null` where nothing was said. */
  readonly advertise_url: string | null;
  /** The URL for callbacks from outside; nothing registers any yet. */
  readonly callback_base_url: string;
}
