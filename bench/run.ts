/**
 * `npm run bench`: files, permits, events, the queue and the start, on each runtime beside peers.
 *
 * @module
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ROOT, RUNTIMES } from "../scripts/gate/tools.ts";
import { loadClient } from "./client/clients.ts";
import { measureFiles } from "./measure.ts";
import { runMicro } from "./micro.ts";
import { plot } from "./plot.ts";
import { type BenchReport, commit, load, machine, markdown } from "./report.ts";
import { FILE_ROWS, writeFiles } from "./rows.ts";
import { ENQUEUE } from "./scenarios/enqueue.ts";
import { FAN_OUT } from "./scenarios/fan_out.ts";
import { PERMITS } from "./scenarios/permits.ts";
import { READY } from "./scenarios/ready.ts";
import { runScenarios } from "./scenarios/run.ts";
import { SLOW_READERS } from "./scenarios/slow_readers.ts";
import { checkOut, serverKinds } from "./servers/start.ts";

const SCENARIOS = [PERMITS, SLOW_READERS, FAN_OUT, ENQUEUE, READY];
const ROWS = [...FILE_ROWS.map(({ id }) => id), ...SCENARIOS.map(({ id }) => id), "micro"];

const HELP = `Measures Holon beside other servers and writes bench/results/<date>.{md,json,svg}.

Usage: npm run bench -- [--rows ${ROWS.join(",")}]
         [--runtimes node,bun,deno] [--rounds 3] [--seconds 1.5] [--against <git ref>]
         [--no-peers] [--print]

--against measures an earlier commit beside this one. --print writes no files. The fan-out takes 10 s
at least; the whole table 16 minutes. Run it on an idle machine: it says so when it was not.`;

const { values } = parseArgs({
  options: {
    "against": { type: "string" },
    "help": { type: "boolean", default: false },
    "no-peers": { type: "boolean", default: false },
    "print": { type: "boolean", default: false },
    "rounds": { type: "string", default: "3" },
    "rows": { type: "string", default: ROWS.join(",") },
    "runtimes": { type: "string", default: RUNTIMES.join(",") },
    "seconds": { type: "string", default: "1.5" },
  },
});

if (values.help) console.log(HELP);
else await main();

async function main(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "holon-bench-"));
  const source = join(directory, "against");
  const discard = values.against === undefined ? null : checkOut(values.against, source);
  try {
    const against = values.against === undefined ? null : { name: values.against, source };
    await measure(directory, against);
  } finally {
    discard?.();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measure(
  directory: string,
  against: { readonly name: string; readonly source: string } | null,
): Promise<void> {
  const rows = values.rows.split(",");
  const runtimes = RUNTIMES.filter((name) => values.runtimes.split(",").includes(name));
  const all = serverKinds(runtimes, against);
  const kinds = values["no-peers"] ? all.filter(({ source }) => source !== null) : all;
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  const before = load();
  const remarks = remarksOn(rounds, kinds.some(({ name }) => name === "nginx"));
  const client = loadClient(directory);
  const files = writeFiles(directory);
  const common = { files, rounds, seconds, directory };
  const fileRows = FILE_ROWS.filter(({ id }) => rows.includes(id));
  const measured = fileRows.length === 0
    ? []
    : await measureFiles({ ...common, kinds, rows: fileRows, client });
  const scenarios = await runScenarios({
    ...common,
    client,
    kinds: kinds.filter(({ source }) => source !== null),
    scenarios: SCENARIOS.filter(({ id }) => rows.includes(id)),
  });
  const report: BenchReport = {
    date: new Date().toISOString(),
    commit: commit(ROOT),
    machine: machine(),
    load: `${before} before, ${load()} after`,
    versions: Object.fromEntries(kinds.map(({ name, version = "" }) => [name, version])),
    client: client.name,
    rounds,
    seconds,
    remarks,
    rows: measured,
    scenarios,
    micro: rows.includes("micro") ? await runMicro(seconds) : [],
  };
  const date = report.date.slice(0, 10);
  const text = markdown(report, `${date}.svg`);
  console.log(text);
  if (values.print) return;
  const folder = join(ROOT, "bench", "results");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${date}.md`), text);
  writeFileSync(join(folder, `${date}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
  writeFileSync(join(folder, `${date}.svg`), plot(measured));
  console.error(`Written: bench/results/${date}.md, .json and .svg`);
}

/** What makes a run's figures doubtful; told at once and in the report. */
function remarksOn(rounds: number, hasNginx: boolean): readonly string[] {
  const [busy = 0] = loadavg();
  const remarks: string[] = [];
  if (busy > 0.3 * availableParallelism()) {
    remarks.push(
      `Other work ran on this machine (load ${busy.toFixed(1)}): no rate here is worth quoting. ` +
        "Processor times and ratios within one table say a little.",
    );
  }
  if (rounds < 3) remarks.push("Fewer than three rounds: a smoke run, not a measurement.");
  if (!hasNginx) remarks.push("Without nginx (apt-get install nginx-light) there is no yardstick.");
  for (const remark of remarks) console.error(remark);
  return remarks;
}
