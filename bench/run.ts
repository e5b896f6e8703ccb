/**
 * `npm run bench`: large and small files at 1 and 16 connections, on each runtime beside nginx.
 *
 * @module
 */

import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../scripts/gate/tools.ts";
import { largeFileClient, type LoadClient, smallFileClient } from "./client/clients.ts";
import { type BenchReport, commit, load, machine, markdown, type Row } from "./report.ts";
import { type Sample, summarize } from "./sample.ts";
import { type ServerName, SERVERS, serverVersion, startServer } from "./servers.ts";

const HELP =
  `Measures Holon on each runtime beside nginx, and writes bench/results/<date>.{md,json}.

Usage: npm run bench -- [--rounds 3] [--seconds 2] [--servers nginx,node,bun,deno] [--print]

--print writes no files. Run it on an idle machine: it says so when it was not.`;

interface File {
  readonly label: string;
  readonly name: string;
  readonly bytes: number;
  readonly client: LoadClient;
}

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    print: { type: "boolean", default: false },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "2" },
    servers: { type: "string", default: SERVERS.join(",") },
  },
});

if (values.help) {
  console.log(HELP);
} else {
  await main(Number(values.rounds), Number(values.seconds), values.servers.split(","));
}

async function main(rounds: number, seconds: number, names: readonly string[]): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "holon-bench-"));
  try {
    const versions = new Map(SERVERS.map((name) => [name, serverVersion(name)] as const));
    const servers = SERVERS.filter((name) => names.includes(name) && versions.get(name));
    const before = load();
    const remarks = remarksOn(servers, rounds);
    const rows = await measure(servers, filesIn(directory), rounds, seconds, directory);
    const report: BenchReport = {
      date: new Date().toISOString(),
      commit: commit(ROOT),
      machine: machine(),
      load: before,
      versions: Object.fromEntries(servers.map((name) => [name, versions.get(name) ?? ""])),
      rounds,
      seconds,
      remarks,
      rows,
    };
    const text = markdown(report);
    console.log(text);
    if (!values.print) write(report, text);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** What makes a run's figures doubtful; told at once and in the report. */
function remarksOn(servers: readonly ServerName[], rounds: number): readonly string[] {
  const [busy = 0] = loadavg();
  const remarks: string[] = [];
  if (busy > 0.3 * availableParallelism()) {
    remarks.push(
      "Other work ran on this machine: these figures show that the bench works, no more.",
    );
  }
  if (rounds < 3) remarks.push("Fewer than three rounds: a smoke run, not a measurement.");
  if (!servers.includes("nginx")) {
    remarks.push("nginx is missing (apt-get install nginx-light), so there is no yardstick.");
  }
  for (const remark of remarks) console.error(remark);
  return remarks;
}

function filesIn(directory: string): readonly File[] {
  const files: readonly File[] = [
    {
      label: "64 MiB",
      name: "large.bin",
      bytes: 64 * 1024 * 1024,
      client: largeFileClient(directory),
    },
    { label: "4 KiB", name: "small.bin", bytes: 4096, client: smallFileClient() },
  ];
  for (const { name, bytes } of files) writeFileSync(join(directory, name), randomBytes(bytes));
  return files;
}

/** Rounds go over all servers, so that a change of the machine hits them alike. */
async function measure(
  servers: readonly ServerName[],
  files: readonly File[],
  rounds: number,
  seconds: number,
  directory: string,
): Promise<readonly Row[]> {
  const cells = files.flatMap((file) => [1, 16].map((connections) => ({ file, connections })));
  const samples = new Map<string, { readonly samples: Sample[]; readonly peaks: number[] }>();
  for (let round = 0; round < rounds; round++) {
    for (const name of servers) {
      const paths = files.map((file) => join(directory, file.name));
      const server = await startServer(name, paths, join(directory, `${name}-${round}`));
      try {
        for (const { file, connections } of cells) {
          const load = { url: new URL(file.name, server.base), bytes: file.bytes, connections };
          await file.client.measure({ ...load, seconds: Math.min(0.5, seconds) });
          server.resetPeak();
          const sample = await file.client.measure({ ...load, seconds });
          const key = `${name} ${file.name} ${connections}`;
          const kept = samples.get(key) ?? { samples: [], peaks: [] };
          samples.set(key, kept);
          kept.samples.push(sample);
          const peak = server.peak();
          if (peak !== undefined) kept.peaks.push(peak);
          const rate = (sample.bytesPerSecond / 1e6).toFixed(0);
          console.error(`round ${round + 1}  ${key.padEnd(24)} ${rate.padStart(6)} MB/s`);
        }
      } finally {
        await server.stop();
      }
    }
  }
  return cells.flatMap(({ file, connections }) =>
    servers.flatMap((server): Row[] => {
      const kept = samples.get(`${server} ${file.name} ${connections}`);
      if (kept === undefined) return [];
      return [{
        server,
        file: file.label,
        connections,
        client: file.client.name,
        summary: summarize(kept.samples),
        peak: kept.peaks.length === 0 ? undefined : Math.max(...kept.peaks),
      }];
    })
  );
}

function write(report: BenchReport, text: string): void {
  const folder = join(ROOT, "bench", "results");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, report.date.slice(0, 10));
  writeFileSync(`${path}.md`, text);
  writeFileSync(`${path}.json`, `${JSON.stringify(report, undefined, 2)}\n`);
  console.error(`Written: bench/results/${report.date.slice(0, 10)}.md and .json`);
}
