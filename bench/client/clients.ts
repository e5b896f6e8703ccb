/**
 * The load clients: `discard.c`, and one of Node's own parts where there is no compiler.
 *
 * @module
 */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Sample } from "../sample.ts";
import { compile } from "./compile.ts";
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
  /** JSON to post. */
  readonly body?: string;
  /** Ends after so many answers, even if there is time left. */
  readonly most?: number;
  /** How long a connection rests after an answer with another status, in ms. */
  readonly restMs?: number;
}

/** A client, by its name in the report. */
export interface LoadClient {
  readonly name: string;
  load(load: Load): Promise<DiscardResult>;
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
  readonly refusalP50: number;
  readonly refusalP99: number;
}

/** Compiles `discard.c` into a folder; without a compiler it is the portable client. */
export function loadClient(directory: string): LoadClient {
  const program = compile("discard", directory);
  if (program === null) return { name: "portable_client.ts", load: fetchAndDiscard };
  return {
    name: "discard.c (MSG_TRUNC)",
    load: async ({ url, connections, seconds, status = 200, header, body, most, restMs }) => {
      const { stdout } = await run(program, [
        url.hostname,
        url.port,
        url.pathname,
        String(connections),
        String(seconds),
        String(status),
        header?.join(": ") ?? "",
        body ?? "",
        String(most ?? 0),
        String(restMs ?? 0),
      ]);
      return JSON.parse(stdout) as DiscardResult;
    },
  };
}

/** A result as one of several measurements. */
export function toSample(result: DiscardResult, cpu: number | undefined): Sample {
  return {
    requests: result.complete + result.refused,
    requestsPerSecond: result.complete / result.seconds,
    bytes: result.bytes,
    bytesPerSecond: result.bytes / result.seconds,
    p99: result.p99 < 0 ? undefined : result.p99,
    failures: result.refused + result.broken,
    cpu,
  };
}
