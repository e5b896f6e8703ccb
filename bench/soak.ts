/**
 * `npm run soak`: one Holon under mixed traffic, edits and kills for a while; then what it holds is
 * compared with what it has acknowledged.
 *
 * @module
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ROOT, type Runtime, RUNTIMES } from "../scripts/gate/tools.ts";
import { commit, load, machine } from "./report.ts";
import { descriptorKinds, longestLife, type Look, lookAt, quarters } from "./soak/figures.ts";
import { writeHome } from "./soak/home.ts";
import { waitFor } from "./soak/pace.ts";
import { type SoakReport, soakTable, writeReport } from "./soak/report.ts";
import { freePort, SoakServer } from "./soak/server.ts";
import { Tally } from "./soak/tally.ts";
import { Traffic } from "./soak/traffic.ts";
import { verifyEvents, verifyGivenBack, verifyMessages } from "./soak/verify.ts";

const HELP =
  `Soaks one Holon and writes bench/results/soak-<date>-<runtime>.json and the day's table.

Usage: npm run soak -- --runtime node|bun|deno [--minutes 20] [--kill-every 120] [--rate 60]
         [--print]

--kill-every is in seconds; in the last 40 % of the time nothing is killed, so that one life is long
enough to show a leak. --rate is about the requests per second. --print writes no files.
Exit code 1 if anything was found that must not be. Ctrl-C ends it early, and it reports.`;

const { values } = parseArgs({
  options: {
    "help": { type: "boolean", default: false },
    "kill-every": { type: "string", default: "120" },
    "minutes": { type: "string", default: "20" },
    "print": { type: "boolean", default: false },
    "rate": { type: "string", default: "60" },
    "runtime": { type: "string", default: "node" },
  },
});

/** Part of the time in which the server is killed. */
const KILLING = 0.6;
const LOOK_SECONDS = 5;

type Kinds = Readonly<Record<string, number>>;

if (values.help) console.log(HELP);
else await main();

async function main(): Promise<void> {
  if (!RUNTIMES.includes(values.runtime as Runtime)) throw new Error(HELP);
  const directory = mkdtempSync(join(tmpdir(), "holon-soak-"));
  try {
    const report = await soak(values.runtime as Runtime, join(directory, "home"));
    console.log(soakTable([report]));
    if (!values.print) writeReport(report, join(ROOT, "bench", "results"));
    process.exitCode = report.violations === 0 ? 0 : 1;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function soak(runtime: Runtime, home: string): Promise<SoakReport> {
  const seconds = Number(values.minutes) * 60;
  const date = new Date().toISOString();
  const before = load();
  const tested = commit(ROOT);
  const tally = new Tally();
  const apps = writeHome(home);
  const server = new SoakServer(runtime, home, await freePort(), tally);
  await server.start();
  const traffic = new Traffic(server, tally, apps);
  await traffic.start(Number(values.rate));

  const started = performance.now();
  const looks: Look[] = [];
  let idle = idleOf(server);
  let stopped = false;
  process.once("SIGINT", () => stopped = true);
  let killAt = Number(values["kill-every"]);
  let tellAt = 0;
  for (;;) {
    await waitFor(() => stopped, LOOK_SECONDS * 1000);
    const at = (performance.now() - started) / 1000;
    if (stopped || at >= seconds) break;
    const look = lookAt(server, at);
    if (look !== null) looks.push(look);
    if (at >= tellAt) {
      tell(runtime, at, look, server, tally, traffic);
      tellAt += 60;
    }
    if (at < killAt || at > seconds * KILLING) continue;
    killAt += Number(values["kill-every"]);
    await server.crash();
    idle = idleOf(server);
  }
  console.error(`${runtime}: ending`);
  await traffic.finish();
  const messages = await verifyMessages(traffic.client, traffic.ledger);
  await traffic.leave();
  await verifyGivenBack(traffic.client);
  traffic.client.close();
  await waitFor(() => idleOf(server).count <= idle.count, 15_000);
  const idleEnd = idleOf(server);
  const exitCode = await server.stop();
  tally.check(exitCode === 0, `it ended with ${exitCode} when told to`);
  const events = verifyEvents(home, traffic.followers, tally);

  const longest = longestLife(looks);
  const resident = (look: Look) => look.residentMebibytes;
  const descriptors = (look: Look) => look.descriptors;
  const lives = { whole: quarters(looks, resident), longest: quarters(longest, resident) };
  const open = { whole: quarters(looks, descriptors), longest: quarters(longest, descriptors) };
  const idleCounts = { first: idle.count, last: idleEnd.count };
  checkFlat(tally, lives.longest, open.longest, idleCounts);
  return {
    date,
    commit: tested,
    machine: machine(),
    runtime,
    minutes: (performance.now() - started) / 60_000,
    load: `${before} before, ${load()} after`,
    requests: tally.requests,
    answers: Object.fromEntries([...tally.answers].sort()),
    counts: Object.fromEntries([...tally.counts].sort()),
    kills: server.starts.length - 1,
    startsMs: server.starts,
    reloadMs: traffic.editor.delays,
    verified: { ...messages, events },
    resident: { ...lives, peak: Math.max(...looks.map(resident)) },
    descriptors: {
      ...open,
      peak: Math.max(...looks.map(descriptors)),
      idle: idleCounts,
      idleKinds: [idle.kinds, idleEnd.kinds],
    },
    longestLifeSeconds: (longest.at(-1)?.at ?? 0) - (longest[0]?.at ?? 0),
    walPeakMebibytes: Math.max(...looks.map(({ walMebibytes }) => walMebibytes)),
    exitCode,
    violations: tally.violations,
    sentences: tally.sentences,
  };
}

/** A few descriptors and a quarter of the memory come and go with what is under way. */
function checkFlat(
  tally: Tally,
  resident: SoakReport["resident"]["longest"],
  open: SoakReport["descriptors"]["longest"],
  idle: SoakReport["descriptors"]["idle"],
): void {
  const grows = (name: string, { first, last }: { first: number; last: number }, most: number) =>
    tally.check(!(last > most), `${name} grew from ${first.toFixed(0)} to ${last.toFixed(0)}`);
  grows("memory in MiB", resident, resident.first * 1.25 + 16);
  grows("descriptors", open, open.first + 12);
  grows("idle descriptors", idle, idle.first + 12);
}

/** Descriptors, by kind, just after a start or once all clients have gone. */
function idleOf(server: SoakServer): { readonly count: number; readonly kinds: Kinds } {
  const kinds = descriptorKinds(server.pid);
  return { count: Object.values(kinds).reduce((sum, count) => sum + count, 0), kinds };
}

function tell(
  runtime: Runtime,
  at: number,
  look: Look | null,
  server: SoakServer,
  tally: Tally,
  traffic: Traffic,
): void {
  console.error(
    `${runtime}: ${at.toFixed(0)} s, ${tally.requests} requests, ` +
      `${traffic.ledger.byId.size} messages, ${server.starts.length - 1} kills, ` +
      `${look?.residentMebibytes.toFixed(0)} MiB, ${look?.descriptors} descriptors, ` +
      `${tally.violations} violations${tally.violations > 0 ? `: ${tally.sentences.at(-1)}` : ""}`,
  );
}
