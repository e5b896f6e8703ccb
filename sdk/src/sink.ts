import type { EventGap } from "../holon.d.ts";

/** One reader of a stream and its position in it. */
export interface Sink {
  /** Id of the last event that it got; `null` while it has none and wants what comes next. */
  cursor: string | null;
  /** An event; the position has been moved already. */
  onEvent(data: unknown): void;
  /** Events are lost to this reader. */
  onGap?(gap: EventGap): void;
  /** The stream is open, for the first time or again. */
  onOpen?(): void;
  /** The connection is lost; it is being tried again. */
  onDown?(): void;
  /** The stream has ended; refused when there is an error. */
  onEnd(error?: { readonly cause: unknown }): void;
}
