/**
 * The bench's report, for people (Markdown) and for programs (JSON).
 *
 * @module
 */

import { execFileSync } from "node:child_process";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import type { Summary } from "./sample.ts";
import type { ServerName } from "./servers.ts";

/** What was measured on one server with one file and so many connections. */
export interface Row {
  readonly server: ServerName;
  readonly file: string;
  readonly connections: number;
  readonly client: string;
  readonly summary: Summary;
  /** Peak of the server's resident memory in MiB. */
  readonly peak: number | undefined;
}

/** A whole run. */
export interface BenchReport {
  /** RFC 3339, UTC. */
  readonly date: string;
  readonly commit: string;
  readonly machine: string;
  readonly load: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rounds: number;
  readonly seconds: number;
  /** What a reader has to know before quoting a figure. */
  readonly remarks: readonly string[];
  readonly rows: readonly Row[];
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

/** The report as Markdown. */
export function markdown(report: BenchReport): string {
  const versions = Object.entries(report.versions).map(([name, it]) => `${name} ${it}`).join(", ");
  const lines = [
    `# Bench of ${report.date.slice(0, 10)}`,
    "",
    `\`npm run bench\` at ${report.commit}. ${report.machine}; load before: ${report.load}.`,
    `${versions}. Median of ${report.rounds} × ${report.seconds} s over loopback; spread is`,
    "(largest − smallest) / median. Holon runs with all its checks; nginx has one worker and sendfile.",
    "",
    ...report.remarks.map((remark) => `**${remark}**\n`),
  ];
  for (const group of groups(report.rows)) {
    const [first] = group;
    if (first === undefined) continue;
    const reference = group.find((row) => row.server === "nginx");
    lines.push(
      `## ${first.file}, ${first.connections} connection${first.connections === 1 ? "" : "s"}`,
      "",
      `Client: ${first.client}.`,
      "",
      "| server | MB/s | requests/s | × nginx | p99 ms | peak MiB | spread | failures |",
      "|---|--:|--:|--:|--:|--:|--:|--:|",
      ...group.map((row) => tableRow(row, reference)),
      "",
    );
  }
  return lines.join("\n");
}

function tableRow({ server, summary, peak }: Row, reference: Row | undefined): string {
  const ratio = reference === undefined
    ? "–"
    : (summary.bytesPerSecond / reference.summary.bytesPerSecond).toFixed(2);
  const cells = [
    server === "nginx" ? "nginx" : `Holon on ${server}`,
    (summary.bytesPerSecond / 1e6).toFixed(0),
    summary.requestsPerSecond.toFixed(summary.requestsPerSecond < 100 ? 1 : 0),
    ratio,
    summary.p99?.toFixed(2) ?? "–",
    peak?.toFixed(0) ?? "–",
    `${(summary.spread * 100).toFixed(0)} %`,
    String(summary.failures),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Rows of the same file and number of connections, in the order of their first. */
function groups(rows: readonly Row[]): Iterable<readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const key = `${row.file} ${row.connections}`;
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return found.values();
}
