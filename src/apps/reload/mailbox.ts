/**
 * What a stream has not been told yet: at most one state for each app, so that a slow reader costs
 * nothing and still ends up with the truth.
 *
 * @module
 */

import { combined } from "./changes.ts";
import type { FolderState } from "./folder_watch.ts";

/** How an app's files are now. */
export interface AppState extends FolderState {
  /** `<agent>/<app>`. */
  readonly app: string;
}

/** States that wait for one reader. */
export interface Mailbox {
  put(state: AppState): void;
  /** The next state; `null` once the mailbox has ended. One call at a time. */
  next(): Promise<AppState | null>;
  /** Ends it. A second call does nothing. */
  end(): void;
}

/** Makes an empty mailbox. */
export function createMailbox(): Mailbox {
  const waiting = new Map<string, AppState>();
  let ended = false;
  let wake = () => {};
  return {
    put(state) {
      if (ended) return;
      const earlier = waiting.get(state.app);
      waiting.set(state.app, earlier === undefined ? state : merged(earlier, state));
      wake();
    },
    async next() {
      if (!ended && waiting.size === 0) {
        await new Promise<void>((resolve) => wake = resolve);
        wake = () => {};
      }
      if (ended) return null;
      const [first] = waiting.values();
      waiting.delete(first!.app);
      return first!;
    },
    end() {
      ended = true;
      waiting.clear();
      wake();
    },
  };
}

/** The later state, with the changes of both. */
function merged(earlier: AppState, later: AppState): AppState {
  if (earlier.change === null || later.change === null) return { ...later, change: null };
  const what = combined(earlier.change.what, later.change.what);
  return { ...later, change: { from: earlier.change.from, what } };
}
