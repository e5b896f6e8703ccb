/**
 * Measures the rows of files, round by round over all servers, so that a change of the machine hits
 * them alike.
 *
 * @module
 */

import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type LoadClient, toSample } from "./client/clients.ts";
import type { FileRow } from "./rows.ts";
import { type Sample, summarize, type Summary } from "./sample.ts";
import type { BenchServer } from "./servers/process.ts";
import { type ServerKind, startServer } from "./servers/start.ts";

/** What was measured of one server. */
export interface Measured {
  readonly row: string;
  readonly server: string;
  readonly summary: Summary;
  /** Peak of the server's resident memory in MiB. */
  readonly peak: number | undefined;
}

/** How to measure. */
export interface MeasureOptions {
  readonly kinds: readonly ServerKind[];
  readonly rows: readonly FileRow[];
  readonly files: readonly string[];
  readonly client: LoadClient;
  readonly rounds: number;
  readonly seconds: number;
  readonly directory: string;
}

/** How long files of a Holon rest until every validator of theirs is strong. */
const SETTLING_MS = 2500;
/** How long a server is loaded before anything counts, since the runtimes compile while they run, … */
const WARMING_S = 1;
/** … and again before each row: what that compiles anew takes thousands of requests. */
const ROW_WARMING_S = 1.5;

/** Runs all rounds. */
export async function measureFiles(options: MeasureOptions): Promise<readonly Measured[]> {
  const { kinds, rows, files, rounds, directory } = options;
  const samples = new Map<string, Sample[]>();
  const peaks = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    for (const [index, kind] of kinds.entries()) {
      const server = await startServer(kind, files, join(directory, `${index}-${round}`));
      try {
        if (kind.source !== null) await delay(SETTLING_MS);
        await warmUp(server, rows, options);
        for (const row of rows) {
          const sample = await measureOnce(server, row, options);
          if (sample === null) continue;
          const key = `${row.title}\n${kind.name}`;
          samples.set(key, [...(samples.get(key) ?? []), sample]);
          peaks.set(key, Math.max(peaks.get(key) ?? 0, server.peak() ?? 0));
          const rate = sample.requestsPerSecond.toFixed(0).padStart(7);
          console.error(
            `round ${round + 1}  ${row.id.padEnd(7)} ${kind.name.padEnd(24)} ${rate}/s`,
          );
        }
      } finally {
        await server.stop();
      }
    }
  }
  return rows.flatMap(({ title: row }) =>
    kinds.flatMap(({ name: server }): Measured[] => {
      const kept = samples.get(`${row}\n${server}`);
      if (kept === undefined) return [];
      const peak = peaks.get(`${row}\n${server}`) || undefined;
      return [{ row, server, summary: summarize(kept), peak }];
    })
  );
}

async function warmUp(
  server: BenchServer,
  rows: readonly FileRow[],
  { client, seconds }: MeasureOptions,
): Promise<void> {
  const [row] = rows;
  if (row === undefined) return;
  const url = new URL(row.file, server.base);
  await client.load({ url, connections: 16, seconds: Math.min(WARMING_S, seconds) });
}

/** `null` where the server has no such answer: a peer without ranges or validators. */
async function measureOnce(
  server: BenchServer,
  row: FileRow,
  { client, seconds }: MeasureOptions,
): Promise<Sample | null> {
  const url = new URL(row.file, server.base);
  const { headers } = await fetch(url, { method: "HEAD" });
  const asked = row.request(headers);
  const headersOf = asked.header === undefined ? {} : Object.fromEntries([asked.header]);
  const trial = await fetch(url, { headers: headersOf });
  await trial.body?.cancel();
  if (trial.status !== (asked.status ?? 200)) return null;
  const load = { url, connections: row.connections, ...asked };
  await client.load({ ...load, seconds: ROW_WARMING_S });
  server.resetPeak();
  const before = server.cpu();
  const result = await client.load({ ...load, seconds });
  const after = server.cpu();
  const cpu = before === undefined || after === undefined ? undefined : after - before;
  return toSample(result, cpu);
}
