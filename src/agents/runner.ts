/**
 * What a runner is: something that carries out a message. A process is the first kind.
 *
 * @module
 */

import type { RecordedProcess } from "./store.ts";
import type { Message, MessageResult } from "./types.ts";

/** How a message ended. */
export type RunnerOutcome =
  | { readonly status: "failed" | "succeeded"; readonly result: MessageResult }
  /** The signal ended it, and everything that it had started. */
  | { readonly status: "aborted" };

/**
 * What happens while a message is carried out; `finished` is the last. A process gets its message
 * once `started` was dealt with, that is when the next event is asked for: it is recorded by then.
 */
export type RunnerEvent =
  | { readonly kind: "started"; readonly process: RecordedProcess }
  | { readonly kind: "finished"; readonly outcome: RunnerOutcome };

/** Carries out messages. */
export interface Runner {
  /** Starts on a message. An abort ends it, and the outcome is `aborted`. Never throws. */
  start(message: Message, signal: AbortSignal): AsyncIterable<RunnerEvent>;
}
