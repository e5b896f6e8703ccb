/**
 * Puts a host together from what the three runtimes have in common and what one of them adds.
 *
 * @module
 */

import process from "node:process";
import { systemClock } from "./clock.ts";
import { createFiles } from "./files.ts";
import { listen } from "./net_listener.ts";
import { hasDescriptorPaths } from "./open_canonical.ts";
import { createProcesses } from "./processes.ts";
import { onSignal } from "./signals.ts";
import { type WriteOutput, writeStderr } from "./stderr.ts";
import type { Host, HostFiles, ListenAddress, RuntimeName } from "./types.ts";

/** What differs between the runtimes. */
export interface RuntimeTraits {
  readonly runtime: RuntimeName;
  readonly version: string;
  /** How finely the runtime tells a ctime, in ms. */
  readonly ctimeStepMs: number;
  /** Throws {@linkcode HostError} `denied` if the runtime's permissions don't allow to listen. */
  readonly requireListen?: (address: ListenAddress) => void;
  /** How the runtime writes to stderr, where the usual way would hold up other work. */
  readonly writeStderr?: WriteOutput;
  /** How the runtime watches a folder, where the usual way would hold up other work. */
  readonly watch?: HostFiles["watch"];
}

/** The host on this machine. */
export function createHostFrom(traits: RuntimeTraits): Host {
  const files = createFiles({
    descriptorPaths: hasDescriptorPaths(),
    ctimeStepMs: traits.ctimeStepMs,
  }, traits.watch);
  const listenerHost = { clock: systemClock, readAtOnce: () => files.blocking };
  return {
    runtime: traits.runtime,
    version: traits.version,
    clock: systemClock,
    files,
    processes: createProcesses(),
    listen: async (options) => {
      traits.requireListen?.(options.address);
      return await listen(options, listenerHost);
    },
    memory: () => process.memoryUsage.rss(),
    writeStderr: (bytes) => writeStderr(bytes, traits.writeStderr),
    onSignal,
  };
}
