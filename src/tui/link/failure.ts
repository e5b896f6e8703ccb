/**
 * Why the server could not be asked, in the terms that the terminal UI decides on.
 *
 * @module
 */

/**
 * - `absent`: nothing listens there;
 * - `timeout`: no connection or no answer in time;
 * - `broken`: the connection broke;
 * - `busy`: the server answered that it can't now;
 * - `refused`: it answered that this client may not, which time alone does not change;
 * - `foreign`: what answers is no Holon of our protocol;
 * - `missing`: the agent, app or message is not there;
 * - `rejected`: this one request was not accepted.
 */
export type FailureKind =
  | "absent"
  | "broken"
  | "busy"
  | "foreign"
  | "missing"
  | "refused"
  | "rejected"
  | "timeout";

/** A request or a stream that failed. */
export class LinkFailure extends Error {
  override readonly name = "LinkFailure";
  readonly kind: FailureKind;

  /** @param sentence what a person should read, without a full stop */
  constructor(kind: FailureKind, sentence: string, options: { readonly cause?: unknown } = {}) {
    super(sentence, options);
    this.kind = kind;
  }
}

/** Whether it may go away by itself, so that trying again makes sense. */
export function isPassing(kind: FailureKind): boolean {
  return kind === "absent" || kind === "broken" || kind === "busy" || kind === "timeout";
}

/** The failure that an answer's status means; `null` for a good one. */
export function failureOf(status: number, json: unknown): LinkFailure | null {
  if (status >= 200 && status < 300) return null;
  const body = typeof json === "object" && json !== null ? json as Record<string, unknown> : {};
  const said = typeof body["error"] === "string" ? body["error"] : null;
  const sentence = said ?? `the server answered ${status}`;
  if (status === 401 || status === 403 || status === 421) {
    return new LinkFailure("refused", sentence);
  }
  // Without our envelope it is not Holon that says so.
  if (status === 404) return new LinkFailure(said === null ? "foreign" : "missing", sentence);
  if (status === 429 || status >= 500) return new LinkFailure("busy", sentence);
  return new LinkFailure(said === null ? "foreign" : "rejected", sentence);
}

/** Any error as a failure. */
export function asFailure(error: unknown): LinkFailure {
  if (error instanceof LinkFailure) return error;
  return new LinkFailure("broken", error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
