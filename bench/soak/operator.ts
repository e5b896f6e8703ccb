/**
 * An operator who changes settings and looks at things.
 *
 * @module
 */

import type { SoakClient } from "./client.ts";
import { pick } from "./pace.ts";

const CONFIG = "/api/control/runtime/config";
const VALUES: readonly (readonly [key: string, values: readonly unknown[]])[] = [
  ["local_apps.csp", [null, "default-src 'self'"]],
  ["local_apps.precompressed", [true, false]],
  ["local_apps.max_asset_bytes", [32 * 1024 * 1024, 64 * 1024 * 1024]],
  ["server.trusted_origins", [[], ["https://soak.example"]]],
];

/** Changes one setting at a time, and checks that what was accepted is there, after crashes too. */
export class Operator {
  readonly #client: SoakClient;
  /** What was accepted last; absent where a crash left it open. */
  readonly #stored = new Map<string, string>();

  constructor(client: SoakClient) {
    this.#client = client;
  }

  /** Keeps all messages and events, so that they can be looked at in the end. */
  async keepEverything(): Promise<void> {
    for (const key of ["events.window", "messages.keep_count"]) await this.#set(key, 10_000_000);
  }

  /** One change, and a look at all that were made. */
  async change(): Promise<void> {
    const [key, values] = pick(VALUES);
    await this.#set(key, pick(values));
    const answer = await this.#client.call({ kind: "config", path: CONFIG, allowed: [200] });
    if (answer === null) return;
    const { runtime_surface: { keys } } = JSON.parse(answer.body.toString());
    for (const { key: name, value } of keys as readonly { key: string; value: unknown }[]) {
      const stored = this.#stored.get(name);
      const has = JSON.stringify(value);
      if (stored !== undefined) {
        this.#client.tally.check(stored === has, `${name} is ${has}, but ${stored} was accepted`);
      }
    }
  }

  /** A look at one of the pages and lists. */
  async look(): Promise<void> {
    const path = pick([
      "/",
      "/api/agents",
      "/api/agents/main/apps",
      "/api/agents/main/messages?limit=20",
      "/api/agents/main/state",
      "/api/control/runtime/status",
      "/api/metrics",
      "/api/openapi.json",
      "/apps/main",
      "/apps/main/one/",
      "/apps/main/two/holon.js",
    ]);
    await this.#client.call({ kind: `look`, path, allowed: [200] });
  }

  async #set(key: string, value: unknown): Promise<void> {
    this.#stored.delete(key);
    const answer = await this.#client.call({
      kind: "config change",
      method: "PATCH",
      path: CONFIG,
      json: { updates: [{ key, value }] },
      allowed: [200],
    });
    if (answer === null) return;
    const { results: [result] } = JSON.parse(answer.body.toString());
    const accepted = result.effect === "accepted_reload_scheduled";
    this.#client.tally.check(accepted, `${key}: ${result.effect}, ${result.reason}`);
    if (accepted) this.#stored.set(key, JSON.stringify(value));
  }
}
