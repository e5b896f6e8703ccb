/**
 * Tells what hangs on a credential, such as an open event stream, that the credential has ended.
 *
 * @module
 */

/** A session or a server token, by its id. */
export type CredentialKey = `session:${string}` | `token:${string}`;

/** Who waits for which end. */
export interface Endings {
  /**
   * Calls back once when the credential has ended; at once where it has already.
   *
   * @returns what stops waiting
   */
  on(key: CredentialKey, callback: () => void): () => void;
  /** Says that a credential has ended. */
  end(key: CredentialKey): void;
}

/** Pause between looks at the credentials that somebody waits for, in ms. */
const LOOK_EVERY_MS = 15_000;

/**
 * Makes the register. Most ends are told by {@linkcode Endings.end}; those that come by the clock
 * are found by a look every 15 s, while somebody waits. A look counts as use of the credential, so
 * that a session isn't idle while a page is open.
 *
 * @param isLive whether a credential is still good
 * @param everyMs pause between looks
 */
export function createEndings(
  isLive: (key: CredentialKey) => boolean,
  everyMs: number = LOOK_EVERY_MS,
): Endings {
  const waiting = new Map<CredentialKey, Set<() => void>>();
  let timer: ReturnType<typeof setInterval> | undefined;

  function end(key: CredentialKey): void {
    const callbacks = waiting.get(key) ?? [];
    waiting.delete(key);
    rest();
    for (const callback of callbacks) callback();
  }

  function look(): void {
    for (const key of [...waiting.keys()]) if (!isLive(key)) end(key);
  }

  function rest(): void {
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    on(key, callback) {
      // The credential may have ended while the request was being answered.
      if (!isLive(key)) {
        callback();
        return () => {};
      }
      const callbacks = waiting.get(key) ?? new Set();
      // A wrapper, since the same function may be given twice.
      const once = () => callback();
      waiting.set(key, callbacks.add(once));
      timer ??= setInterval(look, everyMs);
      return () => {
        callbacks.delete(once);
        if (callbacks.size === 0 && waiting.get(key) === callbacks) waiting.delete(key);
        rest();
      };
    },
    end,
  };
}
