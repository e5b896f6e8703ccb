/**
 * Readers of event streams, who lose their connection again and again and go on after the last id.
 *
 * @module
 */

import { createParser, type EventSourceMessage } from "eventsource-parser";
import type { SoakClient } from "./client.ts";
import { pause, roll } from "./pace.ts";

/** One stream to follow. */
export interface StreamOptions {
  readonly name: string;
  readonly path: string;
  /** Whether its events have ids to go on after. */
  readonly resumable: boolean;
  /** Whether each id is one more than the last: no event of the topic is filtered out. */
  readonly whole: boolean;
  /** Told of each frame. */
  readonly onFrame?: (frame: EventSourceMessage) => void;
}

/** A reader of one stream. */
export class Follower {
  readonly options: StreamOptions;
  /** What each event was, by its id: `type message_id`. */
  readonly seen: Map<number, string> = new Map();
  /** Ids that a gap told of. */
  readonly gaps: { readonly from: number; readonly to: number }[] = [];
  /** The id that it began after; `null` before its first connection. */
  start: number | null = null;
  last = 0;
  connections = 0;
  connected = false;
  readonly #client: SoakClient;

  constructor(client: SoakClient, options: StreamOptions) {
    this.#client = client;
    this.options = options;
  }

  /** Follows until it is told to stop; drops the connection every few seconds. */
  async run(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      await this.#once(stop);
      await pause(roll(500), stop);
    }
  }

  async #once(stop: AbortSignal): Promise<void> {
    const { name, path, resumable } = this.options;
    const resume = resumable && this.start !== null;
    const headers = resume ? { "last-event-id": String(this.last) } : {};
    const response = await this.#client.open({
      kind: `stream ${name}`,
      path,
      headers: { accept: "text/event-stream", ...headers },
      allowed: [200],
    });
    if (response === null) return;
    this.connections++;
    this.connected = true;
    if (this.start === null) {
      this.start = this.last = Number(response.headers["x-holon-newest-event-id"] ?? 0);
    }
    const parser = createParser({ onEvent: (frame) => this.#take(frame) });
    const leave = new AbortController();
    const done = () => response.destroy();
    stop.addEventListener("abort", done, { once: true });
    void pause(3000 + roll(20_000), leave.signal).then(done);
    await new Promise<void>((resolve) => {
      response.setEncoding("utf8").on("data", (text: string) => parser.feed(text));
      response.on("error", () => {});
      response.on("close", resolve);
    });
    leave.abort();
    stop.removeEventListener("abort", done);
    this.connected = false;
  }

  #take(frame: EventSourceMessage): void {
    const { name, resumable, whole } = this.options;
    const { tally } = this.#client;
    this.options.onFrame?.(frame);
    if (frame.event === "holon_gap") {
      const { oldest } = JSON.parse(frame.data) as { readonly oldest: number };
      tally.count(`gaps told to ${name}`);
      this.gaps.push({ from: this.last + 1, to: oldest - 1 });
      this.last = Math.max(this.last, oldest - 1);
      return;
    }
    if (frame.event !== "holon_event") return;
    tally.count(`events to ${name}`);
    if (!resumable) return;
    const id = Number(frame.id);
    const inOrder = whole ? id === this.last + 1 : id > this.last;
    tally.check(inOrder, `${name}: ${id} came after ${this.last}`);
    const { event } = JSON.parse(frame.data);
    this.seen.set(id, `${event.type} ${event.message_id}`);
    this.last = id;
  }
}
