/**
 * A whole Holon behind a real listener in the test's own process, so that a test may set its clock
 * and shorten its time-outs.
 *
 * @module
 */

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHolon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import type { Clock, Listener, ListenerLimits } from "../../src/host/types.ts";
import { tempDirectory } from "./temp_home.ts";

/** What differs from a server that somebody starts. */
export interface ListeningOptions {
  readonly limits?: Partial<ListenerLimits>;
  /** Read by everything but the listener, whose clock is the machine's. */
  readonly clock?: Clock;
  readonly token?: string;
}

/** A Holon that listens. */
export interface ListeningHolon {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  readonly home: string;
  readonly listener: Listener;
  /** Faults of ours: none, if all is well. */
  readonly errors: readonly unknown[];
  /** Writes files below `apps` of the agent `main`, by path. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  close(): Promise<void>;
}

/** Starts one over an empty home with the agent `main`. */
export async function listeningHolon(options: ListeningOptions = {}): Promise<ListeningHolon> {
  const directory = tempDirectory();
  const home = realpathSync(directory.path);
  const apps = join(home, "agents", "main", "apps");
  mkdirSync(apps, { recursive: true, mode: 0o700 });
  const machine = createHost();
  const host = { ...machine, clock: options.clock ?? machine.clock };
  const errors: unknown[] = [];
  const holon = await createHolon({
    host,
    home,
    token: options.token ?? null,
    onError: (error) => errors.push(error),
  });
  const listener = await host.listen({
    address: { transport: "tcp", host: "127.0.0.1", port: 0 },
    fetch: holon.fetch,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const port = listener.address.transport === "tcp" ? listener.address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    home,
    listener,
    errors,
    write(files) {
      for (const [path, content] of Object.entries(files)) {
        const full = join(apps, path);
        mkdirSync(dirname(full), { recursive: true });
        writeFileSync(full, content);
      }
    },
    async close() {
      await Promise.all([listener.close(0), holon.close()]);
      directory.remove();
    },
  };
}
