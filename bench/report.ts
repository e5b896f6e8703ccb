/**
 * The bench's report, for people (Markdown) and for programs (JSON).
 *
 * @module
 */

import { execFileSync } from "node:child_process";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import type { Measured } from "./measure.ts";
import type { MicroResult } from "./micro.ts";
import { ratioTo } from "./ratio.ts";
import type { Figures } from "./scenarios/types.ts";
import { summary } from "./summary.ts";

/** A scenario's figures on one server: medians, with the spread in percent. */
export interface ScenarioResult {
  readonly title: string;
  readonly server: string;
  readonly figures: Figures;
  readonly spread: Figures;
}

/** A whole run. */
export interface BenchReport {
  /** RFC 3339, UTC. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  /** Load averages before and after. */
  readonly load: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly client: string;
  readonly rounds: number;
  readonly seconds: number;
  /** What a reader has to know before quoting a figure. */
  readonly remarks: readonly string[];
  readonly rows: readonly Measured[];
  readonly scenarios: readonly ScenarioResult[];
  readonly micro: readonly MicroResult[];
}

/** The machine in a line. */
export function machine(): string {
  const [cpu] = cpus();
  const gib = Math.round(totalmem() / 1024 ** 3);
  return `${cpus().length} × ${cpu?.model.trim()}, ${gib} GiB, ${type()} ${release()}`;
}

/** The load averages before the run: other work on the machine makes figures worthless. */
export function load(): string {
  return loadavg().map((it) => it.toFixed(2)).join(" ");
}

/** The commit that was measured, with a mark if files differ from it. */
export function commit(root: string): string {
  try {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });
    const changed = git("status", "--porcelain", "--untracked-files=no").trim() !== "";
    return `${git("rev-parse", "--short", "HEAD").trim()}${changed ? " with changes" : ""}`;
  } catch {
    return "unknown";
  }
}

/** The report as Markdown; `plot` is the picture's file name. */
export function markdown(report: BenchReport, plot: string): string {
  const versions = Object.entries(report.versions).map(([name, it]) => `${name} ${it}`).join(", ");
  const lines = [
    `# Bench of ${report.date.slice(0, 10)}`,
    "",
    `\`npm run bench\` at ${report.commit}. ${report.machine}; load: ${report.load}.`,
    `${versions}. Median of ${report.rounds} × ${report.seconds} s over loopback; spread is`,
    "(largest − smallest) / median. Holon runs with all its checks; nginx has one worker and sendfile;",
    "sirv looks at its files once, the others at each request. Processor time is the least of all",
    `rounds. Client: ${report.client}.`,
    "",
    ...report.remarks.map((remark) => `**${remark}**\n`),
  ];
  lines.push(...summary(report));
  if (report.rows.length > 0) lines.push(`![Rates beside nginx](${plot})`, "");
  for (const group of groups(report.rows, ({ row }) => row)) {
    const reference = group.find(({ server }) => server === "nginx");
    lines.push(
      `## ${group[0]?.row}`,
      "",
      "| server | MB/s | requests/s | × nginx | p99 ms | µs CPU/request | CPU s/GB | peak MiB | spread | failures |",
      "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
      ...group.map((it) => fileLine(it, reference)),
      "",
    );
  }
  for (const group of groups(report.scenarios, ({ title }) => title)) {
    const names = Object.keys(group[0]?.figures ?? {});
    lines.push(
      `## ${group[0]?.title}`,
      "",
      `| server | ${names.join(" | ")} |`,
      `|---|${names.map(() => "--:|").join("")}`,
      ...group.map(({ server, figures, spread }) =>
        `| ${server} | ${
          names.map((name) => `${digits(figures[name])} ±${digits(spread[name])} %`).join(" | ")
        } |`
      ),
      "",
    );
  }
  if (report.micro.length > 0) {
    lines.push("## Small pieces, on Node", "", "| piece | per second | margin |", "|---|--:|--:|");
    for (const { name, perSecond, margin } of report.micro) {
      lines.push(`| ${name} | ${perSecond.toFixed(0)} | ${margin.toFixed(1)} % |`);
    }
    lines.push("");
  }
  return lines.join("\n");
}

/** Items with the same key, in the order of their first. */
export function groups<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly T[])[] {
  const found = new Map<string, T[]>();
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item]);
  return [...found.values()];
}

function fileLine(measured: Measured, reference: Measured | undefined): string {
  const { server, summary, peak } = measured;
  const cells = [
    server,
    (summary.bytesPerSecond / 1e6).toFixed(0),
    digits(summary.requestsPerSecond),
    reference === undefined ? "–" : ratioTo(measured, reference).toFixed(2),
    summary.p99?.toFixed(2) ?? "–",
    summary.cpuPerRequest?.toFixed(0) ?? "–",
    summary.cpuPerGigabyte?.toFixed(2) ?? "–",
    peak?.toFixed(0) ?? "–",
    `${(summary.spread * 100).toFixed(0)} %`,
    String(summary.failures),
  ];
  return `| ${cells.join(" | ")} |`;
}

function digits(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  return Number.isInteger(value) || Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2);
}
