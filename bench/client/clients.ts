/**
 * The load clients: `discard.c`, and one of Node's own parts where there is no compiler.
 *
 * @module
 */

import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Sample } from "../sample.ts";
import { fetchAndDiscard } from "./portable_client.ts";

const run = promisify(execFile);

/** What to load, with what. */
export interface Load {
  readonly url: URL;
  readonly connections: number;
  readonly seconds: number;
  /** The status that counts as an answer; by default 200. */
  readonly status?: number;
  /** A header to send. */
  readonly header?: readonly [name: string, value: string];
}

/** A client, by its name in the report. */
export interface LoadClient {
  readonly name: string;
  measure(load: Load): Promise<Sample>;
}

/** What both clients give; times in ms, −1 for none. */
export interface DiscardResult {
  readonly complete: number;
  readonly bytes: number;
  readonly refused: number;
  readonly broken: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

/** Compiles `discard.c` into a folder; without a compiler it is the portable client. */
export function loadClient(directory: string): LoadClient {
  const program = join(directory, "discard");
  const source = join(import.meta.dirname, "discard.c");
  try {
    execFileSync("cc", ["-O2", "-o", program, source], { stdio: "pipe" });
  } catch {
    const measure = async (load: Load) => toSample(await fetchAndDiscard(load));
    return { name: "portable_client.ts", measure };
  }
  return {
    name: "discard.c (MSG_TRUNC)",
    measure: async ({ url, connections, seconds, status = 200, header }) => {
      const { stdout } = await run(program, [
        url.hostname,
        url.port,
        url.pathname,
        String(connections),
        String(seconds),
        String(status),
        header?.join(": ") ?? "",
      ]);
      return toSample(JSON.parse(stdout) as DiscardResult);
    },
  };
}

function toSample(result: DiscardResult): Sample {
  return {
    requests: result.complete + result.refused,
    requestsPerSecond: result.complete / result.seconds,
    bytes: result.bytes,
    bytesPerSecond: result.bytes / result.seconds,
    p99: result.p99 < 0 ? undefined : result.p99,
    failures: result.refused + result.broken,
    cpu: undefined,
  };
}
