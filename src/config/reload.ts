/**
 * Reloads in the background, coalesced: while one runs, any number of requests come to one more.
 *
 * @module
 */

/** How reloading stands, as the API shows it (`facts/holon.md` §a.5). */
export interface ReloadState {
  readonly requested_generation: number;
  /** The newest generation that was tried; its outcome is in `state`. */
  readonly completed_generation: number;
  readonly state: "applying" | "completed" | "failed" | "idle";
  /** Why the last reload failed, as a sentence. */
  readonly last_error?: string;
}

/** A queue of one. */
export interface Reloader {
  state(): ReloadState;
  /** Asks for a reload and returns at once. */
  request(): void;
  /** Resolves once no reload is under way or asked for. */
  settled(): Promise<void>;
}

/**
 * Makes a reloader around `apply`, which throws when the new configuration can't be used.
 *
 * @param explain turns what `apply` threw into a sentence for a person
 */
export function createReloader(
  apply: () => Promise<void>,
  explain: (error: unknown) => string,
): Reloader {
  let requested = 0;
  let completed = 0;
  let outcome: "completed" | "failed" | "idle" = "idle";
  let lastError: string | undefined;
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    while (completed < requested) {
      const generation = requested;
      try {
        await apply();
        outcome = "completed";
        lastError = undefined;
      } catch (error) {
        outcome = "failed";
        lastError = explain(error);
      }
      completed = generation;
    }
    running = null;
  }

  return {
    state: () => ({
      requested_generation: requested,
      completed_generation: completed,
      state: running === null ? outcome : "applying",
      ...(lastError === undefined ? {} : { last_error: lastError }),
    }),
    request() {
      requested += 1;
      running ??= run();
    },
    settled: async () => {
      while (running !== null) await running;
    },
  };
}
