/**
 * The load clients: `discard.c` for large files, wrk for small ones, and one of our own where there
 * is no compiler.
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
  /** The size of what is at the URL. */
  readonly bytes: number;
  readonly connections: number;
  readonly seconds: number;
}

/** A client, by its name in the report. */
export interface LoadClient {
  readonly name: string;
  measure(load: Load): Promise<Sample>;
}

/** Compiles the client for large files; without a compiler it is the portable one. */
export function largeFileClient(directory: string): LoadClient {
  const program = join(directory, "discard");
  const source = join(import.meta.dirname, "discard.c");
  try {
    execFileSync("cc", ["-O2", "-o", program, source], { stdio: "pipe" });
  } catch {
    return PORTABLE;
  }
  return {
    name: "discard.c (MSG_TRUNC)",
    measure: async ({ url, connections, seconds }) => {
      const args = [url.hostname, url.port, url.pathname, String(connections), String(seconds)];
      const { stdout } = await run(program, args);
      return toSample(JSON.parse(stdout) as DiscardResult);
    },
  };
}

/** wrk, or the portable client where it is missing. */
export function smallFileClient(): LoadClient {
  try {
    execFileSync("wrk", ["-v"], { stdio: "pipe" });
  } catch (error) {
    // wrk ends with 1 after printing its version.
    if ((error as { readonly code?: string }).code === "ENOENT") return PORTABLE;
  }
  return {
    name: "wrk",
    measure: async ({ url, bytes, connections, seconds }) => {
      const duration = `${Math.max(1, Math.round(seconds))}s`;
      const args = ["-t1", `-c${connections}`, `-d${duration}`, "--latency", url.href];
      return readWrk((await run("wrk", args)).stdout, bytes);
    },
  };
}

const PORTABLE: LoadClient = {
  name: "portable_client.ts",
  measure: async (load) => toSample(await fetchAndDiscard(load)),
};

/** What `discard.c` and the portable client print; times in ms, −1 for none. */
export interface DiscardResult {
  readonly complete: number;
  readonly bytes: number;
  readonly refused: number;
  readonly broken: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
}

function toSample(result: DiscardResult): Sample {
  return {
    requestsPerSecond: result.complete / result.seconds,
    bytesPerSecond: result.bytes / result.seconds,
    p99: result.p99 < 0 ? undefined : result.p99,
    failures: result.refused + result.broken,
  };
}

/** Reads wrk's report; its own figure of bytes counts headers, so it is not used. */
export function readWrk(report: string, bytes: number): Sample {
  const number = (pattern: RegExp) => Number(pattern.exec(report)?.[1] ?? 0);
  const [, latency, latencyUnit = "ms"] = /^\s+99%\s+([\d.]+)(us|ms|s)/m.exec(report) ?? [];
  const inMs = { us: 0.001, ms: 1, s: 1000 }[latencyUnit] ?? 1;
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(
    report,
  );
  const requestsPerSecond = number(/Requests\/sec:\s+([\d.]+)/);
  return {
    requestsPerSecond,
    bytesPerSecond: requestsPerSecond * bytes,
    p99: latency === undefined ? undefined : Number(latency) * inMs,
    failures: number(/Non-2xx or 3xx responses: (\d+)/) +
      (errors?.slice(1).reduce((sum, it) => sum + Number(it), 0) ?? 0),
  };
}
