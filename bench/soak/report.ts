/**
 * The result of a soak: JSON for each runtime, and one table of all of a day's.
 *
 * @module
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { quantile } from "../sample.ts";
import type { Quarters } from "./figures.ts";
import type { Verified } from "./verify.ts";

/** What came of one run. */
export interface SoakReport {
  /** RFC 3339, UTC. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly runtime: string;
  readonly minutes: number;
  /** Load averages before and after. */
  readonly load: string;
  readonly requests: number;
  readonly answers: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  readonly kills: number;
  readonly startsMs: readonly number[];
  readonly reloadMs: readonly number[];
  readonly verified: Verified;
  /** Over the whole run, and over the longest life without its first minute. */
  readonly resident: {
    readonly whole: Quarters;
    readonly longest: Quarters;
    readonly peak: number;
  };
  readonly descriptors: {
    readonly whole: Quarters;
    readonly longest: Quarters;
    readonly peak: number;
    /** Just after the last start, and once all clients had gone. */
    readonly idle: Quarters;
    /** The same two looks, by what the descriptors are of. */
    readonly idleKinds: readonly Readonly<Record<string, number>>[];
  };
  readonly longestLifeSeconds: number;
  readonly walPeakMebibytes: number;
  readonly exitCode: number | string;
  readonly violations: number;
  readonly sentences: readonly string[];
}

/** JSON has null for what could not be measured. */
const number = (value: number | null, digits = 0) =>
  value === null || Number.isNaN(value) ? "–" : value.toFixed(digits);
const pair = ({ first, last }: Quarters, digits = 0) =>
  `${number(first, digits)} → ${number(last, digits)}`;

const ROWS: readonly (readonly [name: string, figure: (report: SoakReport) => string])[] = [
  ["minutes", ({ minutes }) => number(minutes)],
  ["requests", ({ requests }) => number(requests)],
  ["kill -9 and start again", ({ kills }) => number(kills)],
  [
    "ready after a kill, median / longest, ms",
    ({ startsMs }) => `${number(quantile(startsMs, 0.5))} / ${number(Math.max(...startsMs))}`,
  ],
  [
    "messages acknowledged / there in the end",
    ({ verified }) => `${verified.acknowledged} / ${verified.present}`,
  ],
  [
    "settlements acknowledged, each as it was",
    ({ verified }) => number(verified.settledAcknowledged),
  ],
  [
    "events numbered without a hole",
    ({ verified }) => number(Object.values(verified.events).reduce((sum, count) => sum + count, 0)),
  ],
  [
    "edits told to a page, median / slowest, ms",
    ({ reloadMs }) =>
      reloadMs.length === 0
        ? "–"
        : `${number(quantile(reloadMs, 0.5))} / ${number(Math.max(...reloadMs))}`,
  ],
  ["RSS MiB, first → last quarter of the run", ({ resident }) => pair(resident.whole)],
  ["RSS MiB, … of the longest life", ({ resident }) => pair(resident.longest)],
  ["RSS MiB, peak", ({ resident }) => number(resident.peak)],
  ["descriptors, first → last quarter of the run", ({ descriptors }) => pair(descriptors.whole)],
  ["descriptors, … of the longest life", ({ descriptors }) => pair(descriptors.longest)],
  ["descriptors idle, after the start → in the end", ({ descriptors }) => pair(descriptors.idle)],
  ["WAL MiB, peak", ({ walPeakMebibytes }) => number(walPeakMebibytes, 1)],
  ["exit code", ({ exitCode }) => String(exitCode)],
  ["**violations**", ({ violations }) => `**${violations}**`],
];

/** Reports beside each other, in Markdown. */
export function soakTable(reports: readonly SoakReport[]): string {
  const [first] = reports;
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [
    line(["", ...reports.map(({ runtime }) => runtime)]),
    line(["---", ...reports.map(() => "--:")]),
    ...ROWS.map(([name, figure]) => line([name, ...reports.map(figure)])),
  ];
  const found = reports.flatMap(({ runtime, sentences }) =>
    sentences.map((sentence) => `- ${runtime}, ${sentence.replaceAll("\n", " ")}`)
  );
  return [
    `# Soak of ${first?.date.slice(0, 10) ?? ""}`,
    "",
    `\`npm run soak\` at ${first?.commit}. ${first?.machine}; load: ` +
    reports.map(({ load }) => load).join("; ") + ".",
    "What it does and checks is in `bench/soak.ts`. The longest life is looked at without its first",
    "minute, in which a runtime's heap grows to its working size.",
    "",
    ...table,
    "",
    ...(found.length === 0 ? [] : ["## Violations", "", ...found, ""]),
  ].join("\n");
}

/** Writes a report, and the table of all reports of its day anew. */
export function writeReport(report: SoakReport, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const day = `soak-${report.date.slice(0, 10)}`;
  writeFileSync(
    join(folder, `${day}-${report.runtime}.json`),
    `${JSON.stringify(report, undefined, 2)}\n`,
  );
  const reports = readdirSync(folder)
    .filter((name) => name.startsWith(`${day}-`) && name.endsWith(".json")).sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as SoakReport);
  writeFileSync(join(folder, `${day}.md`), soakTable(reports));
}
