/**
 * A whole Holon behind a real listener in the test's own process, so that a test may set its clock
 * and shorten its time-outs.
 *
 * @module
 */

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHolon, type HolonOptions } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import { listen } from "../../src/host/net_listener.ts";
import type {
  Clock,
  Host,
  HostFiles,
  Listener,
  ListenerLimits,
  ListenOptions,
} from "../../src/host/types.ts";
import { tempDirectory } from "./temp_home.ts";

/** What differs from a server that somebody starts. */
export interface ListeningOptions {
  readonly limits?: Partial<ListenerLimits>;
  readonly clock?: Clock;
  /** A home that is there already, and stays; by default an empty one that is removed. */
  readonly home?: string;
  readonly token?: string;
  /** What `config.json` says. */
  readonly config?: unknown;
  /** Told of requests. */
  readonly log?: HolonOptions["log"];
  /** Changes the files that Holon sees. */
  readonly wrapFiles?: (files: HostFiles) => HostFiles;
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

/** Starts one; its home has the agent `main`. */
export async function listeningHolon(options: ListeningOptions = {}): Promise<ListeningHolon> {
  const directory = options.home === undefined ? tempDirectory() : null;
  const home = realpathSync(directory?.path ?? options.home ?? "");
  const apps = join(home, "agents", "main", "apps");
  mkdirSync(apps, { recursive: true, mode: 0o700 });
  const machine = createHost();
  const host: Host = {
    ...machine,
    clock: options.clock ?? machine.clock,
    files: options.wrapFiles?.(machine.files) ?? machine.files,
  };
  if (options.config !== undefined) {
    writeFileSync(join(home, "config.json"), JSON.stringify(options.config), { mode: 0o600 });
  }
  const errors: unknown[] = [];
  const holon = await createHolon({
    host,
    home,
    token: options.token ?? null,
    onError: (error) => errors.push(error),
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  const listenOptions: ListenOptions = {
    address: { transport: "tcp", host: "127.0.0.1", port: 0 },
    fetch: holon.fetch,
    onRefused: holon.onRefused,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  };
  const listener = await listen(listenOptions, { clock: host.clock, readAtOnce: () => true });
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
      directory?.remove();
    },
  };
}
