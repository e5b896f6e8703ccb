/**
 * Carries out what the main loop asks for, and never lets it wait.
 *
 * @module
 */

import type { Effect, TuiEvent } from "../state/events.ts";
import { safeLine } from "../text/sanitise.ts";
import { agentPath, loadMessages, runAttachment } from "./attachment.ts";
import type { LinkClient, LinkRequest } from "./client.ts";
import { asFailure } from "./failure.ts";
import { startListPoll } from "./list_poll.ts";
import { readDetail } from "./wire.ts";

/** What the background works with. */
export interface BackgroundOptions {
  readonly client: LinkClient;
  readonly now: () => number;
  readonly put: (event: TuiEvent) => void;
  /** Opens a page in the person's browser; calls back where there is none. */
  readonly openUrl: (url: string, onFailure: () => void) => void;
  readonly quit: () => void;
}

/** The background work. */
export interface Background {
  /** Begins what an effect asks for. */
  run(effect: Effect): void;
  /** Ends all of it. */
  close(): void;
}

/** Starts the polling; everything else waits for effects. */
export function startBackground(options: BackgroundOptions): Background {
  const { client, now, put } = options;
  const closing = new AbortController();
  let attached = new AbortController();
  const poll = startListPoll({ client, signal: closing.signal, now, put });

  /** A request of its own; what goes wrong becomes a notice, or what `onFailure` makes of it. */
  function ask(
    request: Omit<LinkRequest, "signal">,
    onAnswer: (body: Record<string, unknown>) => TuiEvent,
    onFailure: (error: unknown) => TuiEvent = failureNotice,
  ): void {
    client.json({ ...request, signal: closing.signal }).then(onAnswer, onFailure).then((event) => {
      if (!closing.signal.aborted) put(event);
    });
  }

  return {
    run(effect) {
      switch (effect.kind) {
        case "attach": {
          attached.abort();
          attached = new AbortController();
          const { generation, agent, position } = effect;
          const { signal } = attached;
          const alive = () => put({ kind: "alive", now: now() });
          void runAttachment({ client, generation, agent, position, signal, now, put, alive });
          return;
        }
        case "detach":
          attached.abort();
          return;
        case "pollNow":
          poll.hurry();
          return;
        case "messages": {
          const { generation, agent } = effect;
          const { signal } = attached;
          loadMessages({ client, generation, agent, signal, now, put }).catch((error: unknown) => {
            if (signal.aborted) return;
            put({ kind: "messagesFailed", generation, now: now(), failure: factsOf(error) });
          });
          return;
        }
        case "send": {
          const { key, agent, text } = effect;
          return ask(
            {
              method: "POST",
              path: `${agentPath(agent)}/messages`,
              body: { text },
              headers: { "idempotency-key": key },
            },
            () => ({ kind: "sent", key }),
            (error) => ({ kind: "sendFailed", key, failure: factsOf(error) }),
          );
        }
        case "detail": {
          const { agent, message } = effect;
          return ask(
            { method: "GET", path: messagePath(agent, message) },
            (body) => ({ kind: "detail", detail: readDetail(body, message) }),
          );
        }
        case "cancel": {
          const { agent, message } = effect;
          const text = `The message ${message} is cancelled.`;
          return ask(
            { method: "POST", path: `${messagePath(agent, message)}/cancel` },
            () => ({ kind: "notice", tone: "good", text }),
          );
        }
        case "create": {
          const { agent } = effect;
          return ask(
            { method: "POST", path: "/api/agents", body: { id: agent } },
            () => ({ kind: "created", agent }),
          );
        }
        case "open":
          options.openUrl(effect.url, () => {
            const text = `No browser could be started here; open ${effect.url} yourself.`;
            put({ kind: "notice", tone: "info", text });
          });
          return;
        case "quit":
          options.quit();
          return;
      }
    },

    close() {
      closing.abort();
      attached.abort();
    },
  };
}

function messagePath(agent: string, message: string): string {
  return `${agentPath(agent)}/messages/${encodeURIComponent(message)}`;
}

function factsOf(error: unknown) {
  const { kind, message } = asFailure(error);
  return { kind, sentence: safeLine(message, 500) };
}

function failureNotice(error: unknown): TuiEvent {
  const { sentence } = factsOf(error);
  const text = sentence.includes("://")
    ? sentence
    : sentence.charAt(0).toUpperCase() + sentence.slice(1);
  return { kind: "notice", tone: "bad", text: /[.!?]$/.test(text) ? text : `${text}.` };
}
