/**
 * One attachment to one agent, in the background: handshake, state, messages, then the stream of
 * events until it ends. What it finds out goes to the channel.
 *
 * @module
 */

import type { AttachmentEvent } from "../state/events.ts";
import type { ServerFacts } from "../state/types.ts";
import type { LinkClient } from "./client.ts";
import { asFailure, LinkFailure } from "./failure.ts";
import { readAgents, readEvent, readMessages, readState, type StateAnswer } from "./wire.ts";

/** Messages that are loaded. */
const PAGE = 50;

/** What an attachment works with. */
export interface AttachmentOptions {
  readonly client: LinkClient;
  readonly generation: number;
  /** `null`: the server's default agent, or its first one. */
  readonly agent: string | null;
  /** Number of the event to go on behind; `null`: from the state on. */
  readonly position: number | null;
  readonly signal: AbortSignal;
  readonly now: () => number;
  readonly put: (event: AttachmentEvent) => void;
  readonly alive: () => void;
}

/** Runs an attachment to its end; it always ends, and throws nothing. */
export async function runAttachment(options: AttachmentOptions): Promise<void> {
  const { generation, signal, now, put } = options;
  try {
    await attach(options);
    throw new LinkFailure("broken", "the server ended the stream");
  } catch (error) {
    if (signal.aborted) return;
    const { kind, message } = asFailure(error);
    put({ kind: "lost", generation, now: now(), failure: { kind, sentence: message } });
  }
}

async function attach(options: AttachmentOptions): Promise<void> {
  const { client, generation, signal, now, put, alive } = options;
  const server = await client.handshake(signal);
  put({ kind: "handshake", generation, now: now(), server });
  const state = await loadState(options, server);
  put({ kind: "snapshot", generation, now: now(), ...state });
  await loadMessages({ client, generation, agent: state.agent, signal, now, put });
  // Beyond the newest, the numbers are of another home: what is known of them is void.
  const goesOn = options.position !== null && options.position <= state.newest;
  const position = goesOn ? options.position ?? state.newest : state.newest;
  const stream = client.events({
    path: `${agentPath(state.agent)}/events/stream`,
    lastEventId: String(position),
    signal,
    onOpen: () => put({ kind: "opened", generation, now: now(), position }),
    onAlive: alive,
  });
  for await (const { event, data } of stream) {
    if (event === "holon_gap") {
      put({ kind: "gap", generation, now: now(), reason: "events were missed" });
      return await untilAborted(signal);
    }
    const row = event === "holon_event" ? readEvent(data) : null;
    if (row !== null) put({ kind: "event", generation, now: now(), event: row });
  }
}

/** Loads the newest messages. */
export async function loadMessages(
  { client, generation, agent, signal, now, put }:
    & Pick<AttachmentOptions, "client" | "generation" | "now" | "put" | "signal">
    & { readonly agent: string },
): Promise<void> {
  const path = `${agentPath(agent)}/messages?limit=${PAGE}`;
  const messages = readMessages(await client.json({ method: "GET", path, signal }));
  put({ kind: "messages", generation, now: now(), messages });
}

/** The path of an agent's routes. */
export function agentPath(agent: string): string {
  return `/api/agents/${encodeURIComponent(agent)}`;
}

async function loadState(
  { client, agent, signal }: AttachmentOptions,
  server: ServerFacts,
): Promise<StateAnswer> {
  const load = async (id: string): Promise<StateAnswer> =>
    readState(await client.json({ method: "GET", path: `${agentPath(id)}/state`, signal }));
  if (agent !== null) return await load(agent);
  try {
    return await load(server.defaultAgent ?? "main");
  } catch (error) {
    if (asFailure(error).kind !== "missing") throw error;
    const [first] = readAgents(await client.json({ method: "GET", path: "/api/agents", signal }));
    if (first !== undefined) return await load(first.id);
    throw new LinkFailure("missing", "the server has no agent yet: /agent create NAME makes one");
  }
}

/** The main loop ends this attachment and begins another. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
