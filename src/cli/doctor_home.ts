/**
 * What `holon doctor` looks at in the home's files.
 *
 * @module
 */

import process from "node:process";
import { basename, join } from "node:path";
import { readDocument } from "../config/document.ts";
import { readConfigFile } from "../config/file.ts";
import { Fault } from "../fault.ts";
import { type FileStat, HostError } from "../host/types.ts";
import { hostErrorWords } from "./failure.ts";
import { type Finding, finding } from "./finding.ts";
import type { HomePaths } from "./home.ts";
import { listDirectories } from "./home_entries.ts";
import type { CliIo } from "./io.ts";
import { shellQuote } from "./shell_quote.ts";

/** Whether the home is there, belongs to this user and is closed to others. */
export async function checkHome(io: CliIo, { home }: HomePaths): Promise<Finding> {
  const stat = await statOf(io, home);
  if (stat === null) {
    return finding("home", "note", `${home} does not exist yet`, "`holon serve` makes it.");
  }
  if (typeof stat === "string") return finding("home", "error", `${home} can't be used: ${stat}`);
  if (stat.kind !== "directory") return finding("home", "error", `${home} is not a directory`);
  const me = process.getuid?.();
  if (me !== undefined && stat.uid !== me) {
    return finding("home", "warning", `${home} belongs to another user (uid ${stat.uid})`);
  }
  if ((stat.mode & 0o077) !== 0) {
    return finding(
      "home",
      "warning",
      `${home} is open to others`,
      `Run: chmod 700 ${shellQuote(home)}`,
    );
  }
  return finding("home", "ok", `${home} belongs to you alone`);
}

/** Whether the files with settings, commands and messages are closed to others. */
export async function checkFileModes(io: CliIo, paths: HomePaths): Promise<Finding> {
  const agents = await listDirectories(io, paths.agents).catch(() => []);
  const files = [
    paths.config,
    paths.database,
    join(paths.home, "app_origins.key"),
    ...agents.map((id) => join(paths.agents, id, "agent.json")),
  ];
  const open: string[] = [];
  for (const file of files) {
    const stat = await statOf(io, file);
    if (stat === null || typeof stat === "string") continue;
    if ((stat.mode & 0o077) !== 0) open.push(file);
  }
  return open.length === 0
    ? finding("files", "ok", "Settings, runners and messages can be read by you alone")
    : finding(
      "files",
      "warning",
      `${open.length} file${open.length === 1 ? " is" : "s are"} open to others: ` +
        open.map((file) => basename(file)).join(", "),
      `Run: chmod 600 ${open.map(shellQuote).join(" ")}`,
    );
}

/** Whether `config.json` can be used, and which of its keys mean nothing here. */
export async function checkConfig(io: CliIo, paths: HomePaths): Promise<readonly Finding[]> {
  try {
    const reading = readDocument(await readConfigFile(io.host.files, paths.config));
    if (!reading.ok) {
      return [
        finding(
          "config",
          "error",
          `config.json: ${reading.problem}`,
          "Mend that key with `holon config set` or `holon config unset`.",
        ),
      ];
    }
    const count = reading.snapshot.explicit.size;
    const sound = finding(
      "config",
      "ok",
      count === 0 ? "All settings are at their defaults" : `config.json is sound and sets ${count}`,
    );
    if (reading.unknown.length === 0) return [sound];
    return [
      sound,
      finding(
        "config",
        "note",
        `config.json has keys that mean nothing to this version: ${reading.unknown.join(", ")}`,
      ),
    ];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return [finding("config", "error", error.message, error.hint)];
  }
}

/** Whether the database is a database, and whether a damaged one was kept aside. */
export async function checkDatabase(io: CliIo, paths: HomePaths): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  const stat = await statOf(io, paths.database);
  if (stat === null) {
    found.push(finding("database", "ok", "There is no database yet; `holon serve` makes it"));
  } else if (typeof stat === "string") {
    found.push(finding("database", "error", `holon.db can't be used: ${stat}`));
  } else if (stat.kind !== "file" || !await hasMagic(io, paths.database, stat.size)) {
    found.push(finding(
      "database",
      "error",
      "holon.db is no SQLite database",
      "`holon serve` keeps it aside and begins a new one.",
    ));
  } else {
    found.push(finding("database", "ok", `holon.db has ${Math.ceil(stat.size / 1024)} KiB`));
  }
  const kept = await keptDatabases(io, paths.home);
  if (kept.length > 0) {
    found.push(
      finding("database", "note", `A damaged database was kept aside: ${kept.sort().join(", ")}`),
    );
  }
  return found;
}

async function keptDatabases(io: CliIo, home: string): Promise<string[]> {
  try {
    const entries = await io.host.files.list(home, 1000);
    return entries.map(({ name }) => name).filter((name) => name.startsWith("holon.db.corrupt-"));
  } catch (error) {
    if (error instanceof HostError) return [];
    throw error;
  }
}

async function hasMagic(io: CliIo, path: string, size: number): Promise<boolean> {
  if (size === 0) return true;
  const file = await io.host.files.openCanonical(path);
  try {
    const head = new Uint8Array(15);
    await file.read(head, 0);
    return new TextDecoder("latin1").decode(head) === "SQLite format 3";
  } finally {
    file.close();
  }
}

/** Metadata; `null` when it is missing, a few words when it can't be had. */
async function statOf(io: CliIo, path: string): Promise<FileStat | string | null> {
  try {
    return await io.host.files.stat(path);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return error.code === "not_found" ? null : hostErrorWords(error);
  }
}
