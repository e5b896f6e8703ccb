/**
 * A terminal UI without terminal and network: the reducer, driven by hand.
 *
 * @module
 */

import type { AttachmentEvent, Effect, Key, TuiEvent } from "../../src/tui/state/events.ts";
import { initialState } from "../../src/tui/state/initial.ts";
import { reduce, start } from "../../src/tui/state/reduce.ts";
import type {
  AgentRow,
  AppRow,
  EventRow,
  Link,
  MessageRow,
  QueueCounts,
  ServerFacts,
  TuiState,
} from "../../src/tui/state/types.ts";

export const QUEUE: QueueCounts = {
  queued: 1,
  processing: 0,
  succeeded: 2,
  failed: 0,
  cancelled: 0,
};

export const SERVER: ServerFacts = {
  version: "1.0.0",
  defaultAgent: "main",
  url: "http://127.0.0.1:7878",
  sharedUrl: null,
  home: "/home/holon",
};

/** An agent of the list. */
export function agent(id: string): AgentRow {
  return { id, runner: null, problem: null, queue: QUEUE };
}

/** A sound app. */
export function app(id: string): AppRow {
  return { id, name: id, version: "1", description: "", path: `/apps/main/${id}/`, problem: null };
}

/** A message that waits. */
export function message(id: string, text = "hello"): MessageRow {
  return {
    id,
    status: "queued",
    origin: "operator",
    requestType: null,
    text: [text],
    result: [],
    createdAt: "2026-12-01T12:00:00.000Z",
    finishedAt: null,
    attempts: 0,
  };
}

/** An event about a message. */
export function event(sequence: number, type: string, messageId: string): EventRow {
  return {
    sequence,
    type,
    timestamp: "2026-12-01T12:00:00.000Z",
    messageId,
    origin: "operator",
  };
}

/** An event of an attachment, without what every one has. */
// deno-lint-ignore no-explicit-any
type Bare<E = AttachmentEvent> = E extends any ? Omit<E, "generation" | "now"> : never;

/** The reducer and all effects that it asked for. */
export class TestedState {
  state: TuiState;
  effects: Effect[] = [];
  #keys = 0;

  constructor(
    size: { readonly columns: number; readonly rows: number } = { columns: 80, rows: 24 },
  ) {
    const begun = start(initialState({
      now: 0,
      ...size,
      target: { label: "http://lab:7878", remote: true, url: "http://lab:7878" },
      clientVersion: "1.0.0",
    }));
    this.state = begun.state;
    this.effects.push(...begun.effects);
  }

  put(...events: readonly TuiEvent[]): this {
    for (const it of events) {
      const { state, effects } = reduce(this.state, it, { newKey: () => `key-${++this.#keys}` });
      this.state = state;
      this.effects.push(...effects);
    }
    return this;
  }

  /** What the attachment of now brings. */
  net(it: Bare): this {
    const { generation, now } = this.state;
    return this.put({ ...it, generation, now } as AttachmentEvent);
  }

  /** Time goes by. */
  wait(ms: number): this {
    return this.put({ kind: "tick", now: this.state.now + ms });
  }

  type(text: string): this {
    return this.put({ kind: "text", text });
  }

  press(name: Key["name"], more: Omit<Key, "name"> = {}): this {
    return this.put({ kind: "key", key: { name, ...more } });
  }

  ctrl(letter: string): this {
    return this.press("letter", { letter, ctrl: true });
  }

  enter(text: string): this {
    return this.type(text).press("enter");
  }

  /** Up to the open stream. */
  connect(position = 7): this {
    return this.put({
      kind: "agents",
      now: this.state.now,
      agents: [agent("main"), agent("other")],
    })
      .net({ kind: "handshake", server: SERVER })
      .net({
        kind: "snapshot",
        agent: this.state.agent ?? "main",
        runner: null,
        queue: QUEUE,
        apps: [app("card"), app("chart")],
        newest: position,
      })
      .net({ kind: "messages", messages: [message("msg_1")] })
      .net({ kind: "opened", position });
  }

  get link(): Link {
    return this.state.link;
  }

  /** The notice's text; empty where there is none. */
  get notice(): string {
    return this.state.notice?.text ?? "";
  }

  /** The effects since the last look. */
  taken(): readonly Effect[] {
    return this.effects.splice(0);
  }
}
