/**
 * All that goes on at once in a soak.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";
import { cutDownload, readAsset } from "./assets.ts";
import { SoakClient } from "./client.ts";
import { Editor } from "./edits.ts";
import { APPS } from "./home.ts";
import { Ledger } from "./ledger.ts";
import { send, work } from "./messages.ts";
import { Operator } from "./operator.ts";
import { pace, waitFor } from "./pace.ts";
import type { SoakServer } from "./server.ts";
import { Follower } from "./streams.ts";
import type { Tally } from "./tally.ts";

/** Longer than a lease and a runner's turn. */
const DRAIN_MS = 180_000;
const AGENT = "/api/agents/main";

/** Clients of every kind. */
export class Traffic {
  readonly client: SoakClient;
  readonly ledger: Ledger = new Ledger();
  readonly editor: Editor;
  /** Those whose events are compared with what is stored. */
  readonly followers: readonly Follower[];
  readonly #others: readonly Follower[];
  readonly #makers = new AbortController();
  readonly #workers = new AbortController();
  readonly #readers = new AbortController();
  #making: Promise<unknown> = Promise.resolve();
  #working: Promise<unknown> = Promise.resolve();
  #reading: Promise<unknown> = Promise.resolve();

  constructor(server: SoakServer, tally: Tally, apps: string) {
    this.client = new SoakClient(server, tally);
    this.editor = new Editor(this.client, apps);
    const follow = (name: string, path: string, resumable: boolean, whole: boolean) =>
      new Follower(this.client, { name, path, resumable, whole });
    this.followers = [
      follow("agent 1", `${AGENT}/events/stream`, true, true),
      follow("agent 2", `${AGENT}/events/stream`, true, true),
      ...APPS.map((id) => follow(`app:${id}`, `/apps/main/${id}/events`, true, false)),
    ];
    this.#others = [follow("all", "/api/events/stream", false, false), this.editor.follower];
  }

  /** Begins; about so many requests a second in all. */
  async start(rate: number): Promise<void> {
    const { client, ledger } = this;
    const operator = new Operator(client);
    await operator.keepEverything();
    // The files of the home have just been written: their validators are not settled before.
    await delay(2500);
    const readers = this.#readers.signal;
    this.#reading = Promise.all(
      [...this.followers, ...this.#others].map((follower) => follower.run(readers)),
    );
    const stop = this.#makers.signal;
    const several = (count: number, share: number, act: () => Promise<unknown>) =>
      Array.from({ length: count }, () => pace(stop, rate * share / count, act));
    this.#making = Promise.all([
      ...several(4, 0.5, () => readAsset(client)),
      ...several(2, 0.02, () => cutDownload(client)),
      ...several(3, 0.2, () => send(client, ledger, stop)),
      ...several(1, 0.01, () => operator.change()),
      ...several(1, 0.02, () => operator.look()),
      pace(stop, 2, () => this.editor.round(stop)),
    ]);
    const workers = this.#workers.signal;
    this.#working = Promise.all(
      Array.from({ length: 3 }, () => pace(workers, 1, () => work(client, ledger, workers))),
    );
  }

  /** Ends what makes messages, lets the queues run empty and the followers catch up. */
  async finish(): Promise<void> {
    const { tally } = this.client;
    this.#makers.abort();
    await this.#making;
    tally.check(await waitFor(() => this.#isDrained(), DRAIN_MS), "the queues did not run empty");
    this.#workers.abort();
    await this.#working;
    const caughtUp = await waitFor(() => this.#haveCaughtUp(), 60_000);
    tally.check(caughtUp, "the followers did not catch up");
    // What an app's followers have yet to see can't be told: they get the time to see it.
    await waitFor(() => this.followers.every(({ connected }) => connected), 60_000);
    await delay(3000);
  }

  /** Closes all connections. */
  async leave(): Promise<void> {
    this.#readers.abort();
    await this.#reading;
    this.client.close();
  }

  async #isDrained(): Promise<boolean> {
    const answer = await this.client.call({ kind: "look", path: "/api/agents", allowed: [200] });
    if (answer === null) return false;
    const { agents } = JSON.parse(answer.body.toString());
    const queues = agents as readonly { queue: { queued: number; processing: number } }[];
    return queues.every(({ queue }) => queue.queued + queue.processing === 0);
  }

  async #haveCaughtUp(): Promise<boolean> {
    const call = { kind: "look", path: `${AGENT}/state`, allowed: [200] };
    const answer = await this.client.call(call);
    if (answer === null) return false;
    const { newest_event_id } = JSON.parse(answer.body.toString());
    return this.followers.filter(({ options }) => options.whole)
      .every(({ last }) => last === newest_event_id);
  }
}
