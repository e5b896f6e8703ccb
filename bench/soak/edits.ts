/**
 * Somebody who edits an app all the time, while live reload watches it.
 *
 * @module
 */

import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SoakClient } from "./client.ts";
import { LIVE_APP } from "./home.ts";
import { pause, pick, roll, waitFor } from "./pace.ts";
import { Follower } from "./streams.ts";

/** A change has to be told by then. */
const TOLD_MS = 30_000;

/** Edits in rounds, each of which has to be told on the reload stream. */
export class Editor {
  readonly follower: Follower;
  readonly #client: SoakClient;
  readonly #folder: string;
  /** How long it took until a change was told, in ms. */
  readonly delays: number[] = [];
  #count = 0;
  #version = "";

  constructor(client: SoakClient, apps: string) {
    this.#client = client;
    this.#folder = join(apps, LIVE_APP);
    this.follower = new Follower(client, {
      name: "reload",
      path: `/api/reload?apps=main/${LIVE_APP},main/one`,
      resumable: false,
      whole: false,
      onFrame: ({ event, data }) => {
        if (event !== "holon_reload") return;
        client.tally.count("reload frames");
        const { app, version } = JSON.parse(data);
        if (app === `main/${LIVE_APP}`) this.#version = version;
      },
    });
    this.#replace("page.html");
    this.#rewrite("style.css");
  }

  /** One round of edits. */
  async round(stop: AbortSignal): Promise<void> {
    const before = this.#version;
    const { life } = this.#client.server;
    const { connections } = this.follower;
    const started = performance.now();
    const what = pick(["rewrite", "replace", "burst", "nest", "folder"] as const);
    this.#act(what);
    this.#client.tally.count(`edit: ${what}`);
    const isSame = () =>
      this.#client.server.life === life && this.follower.connections === connections &&
      this.follower.connected;
    const wasTold = await waitFor(
      () => this.#version !== before || !isSame() || stop.aborted,
      TOLD_MS,
    );
    if (this.#version !== before && isSame()) this.delays.push(performance.now() - started);
    this.#client.tally.check(wasTold, `no word of an edit (${what}) within ${TOLD_MS / 1000} s`);
    await pause(500 + roll(2500), stop);
  }

  #act(what: "burst" | "folder" | "nest" | "replace" | "rewrite"): void {
    this.#count++;
    switch (what) {
      case "rewrite":
        return this.#rewrite("style.css");
      case "replace":
        return this.#replace("page.html");
      case "burst":
        for (let index = 0; index < 50; index++) this.#rewrite(`burst-${index % 10}.css`);
        return;
      case "nest": {
        const folder = join(this.#folder, "nested", String(this.#count % 7));
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(join(folder, "deep"), { recursive: true });
        writeFileSync(join(folder, "deep", "file.js"), `export const n = ${this.#count};`);
        return;
      }
      case "folder": {
        // As a build tool does: a new folder takes the old one's place.
        const [fresh, old] = [`${this.#folder}.new`, `${this.#folder}.old`];
        cpSync(this.#folder, fresh, { recursive: true });
        writeFileSync(join(fresh, "built.txt"), String(this.#count));
        renameSync(this.#folder, old);
        renameSync(fresh, this.#folder);
        rmSync(old, { recursive: true });
      }
    }
  }

  #text(): string {
    return `v${this.#count};`.repeat(500 + roll(3000));
  }

  #rewrite(name: string): void {
    writeFileSync(join(this.#folder, name), this.#text());
  }

  #replace(name: string): void {
    const path = join(this.#folder, name);
    writeFileSync(`${path}.tmp`, this.#text());
    renameSync(`${path}.tmp`, path);
  }
}
