/**
 * Asks for the list of agents again and again, one request at a time.
 *
 * @module
 */

import type { TuiEvent } from "../state/events.ts";
import type { LinkClient } from "./client.ts";
import { asFailure } from "./failure.ts";
import { readAgents } from "./wire.ts";

/** Pause between two requests, in ms (`facts/holon.md` §h.2). */
export const LIST_PAUSE_MS: number = 2000;

/** What the polling works with. */
export interface ListPollOptions {
  readonly client: LinkClient;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly put: (event: TuiEvent) => void;
}

/** A polling under way. */
export interface ListPoll {
  /** Asks at once instead of after the pause. */
  hurry(): void;
}

/** Polls until the signal aborts. */
export function startListPoll({ client, signal, now, put }: ListPollOptions): ListPoll {
  let wake: () => void = () => {};

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const body = await client.json({ method: "GET", path: "/api/agents", signal });
        put({ kind: "agents", now: now(), agents: readAgents(body) });
      } catch (error) {
        if (signal.aborted) return;
        const { kind, message } = asFailure(error);
        put({ kind: "agentsFailed", failure: { kind, sentence: message } });
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, LIST_PAUSE_MS);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener("abort", wake, { once: true });
      });
      signal.removeEventListener("abort", wake);
    }
  }

  void run();
  return { hurry: () => wake() };
}
