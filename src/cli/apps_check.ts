/**
 * `holon apps check`.
 *
 * @module
 */

import { join, resolve } from "node:path";
import type { AppFinding } from "../apps/check/findings.ts";
import { type AppCheck, checkAppFolder } from "../apps/check_folder.ts";
import { readDocument } from "../config/document.ts";
import { type ConfigSnapshot, effectiveAppSettings } from "../config/settings.ts";
import { HostError } from "../host/types.ts";
import { isSegment } from "../identifiers.ts";
import type { AppsCheckCommand } from "./command.ts";
import { localServer } from "./client/server.ts";
import { offlineConfig } from "./config_access.ts";
import { defaultAgent } from "./default_agent.ts";
import { CliFailure, EXIT, hostErrorWords } from "./failure.ts";
import { homePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { type Paint, paintFor, printable, printJson } from "./output.ts";

/**
 * Checks an app: a folder, which need not be in a home, or else an app of the home by its id or
 * `agent/app`; 1 when something is refused.
 */
export async function appsCheck(command: AppsCheckCommand, io: CliIo): Promise<number> {
  const folder = await folderOf(command, io);
  const check = await checkOrFail(io, folder, await snapshotFor(io, command.home));
  const isSound = check.findings.every(({ severity }) => severity !== "error");
  const { appId, ...rest } = check;
  if (command.json) printJson(io, { ok: isSound, folder, app_id: appId, ...rest });
  else print(io, check, isSound);
  return isSound ? EXIT.ok : EXIT.failed;
}

/** A path that exists wins; where neither it nor such an app does, the path is what is missing. */
async function folderOf({ directory, home }: AppsCheckCommand, io: CliIo): Promise<string> {
  const path = resolve(io.cwd, directory);
  const names = directory.split("/");
  if (names.length > 2 || !names.every(isSegment) || await exists(io, path)) return path;
  const paths = await homePaths(io, home);
  const id = names.pop()!;
  const agent = names.pop() ?? await defaultAgent(io, localServer(paths));
  const folder = join(paths.agents, agent, "apps", id);
  return await exists(io, folder) ? folder : path;
}

async function exists(io: CliIo, path: string): Promise<boolean> {
  try {
    await io.host.files.stat(path);
    return true;
  } catch (error) {
    // What is there but can't be looked at is for the check to tell.
    return !(error instanceof HostError && error.code === "not_found");
  }
}

async function checkOrFail(
  io: CliIo,
  folder: string,
  snapshot: ConfigSnapshot,
): Promise<AppCheck> {
  const settings = effectiveAppSettings(snapshot);
  const { own_origin } = snapshot.settings.local_apps;
  try {
    return await checkAppFolder(io.host.files, folder, settings, own_origin);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    const hint = error.code === "not_found"
      ? "Give the folder of an app, or the id of one in the home: `holon apps list` shows them."
      : undefined;
    throw new CliFailure(`${folder} can't be checked: ${hostErrorWords(error)}`, {
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    });
  }
}

/** The settings of the home that is named, else of the usual one, else the defaults. */
async function snapshotFor(io: CliIo, home: string | undefined): Promise<ConfigSnapshot> {
  try {
    return (await offlineConfig(io, await homePaths(io, home))).snapshot;
  } catch (error) {
    const defaults = readDocument({});
    if (home !== undefined || !defaults.ok) throw error;
    return defaults.snapshot;
  }
}

function print(io: CliIo, check: AppCheck, isSound: boolean): void {
  const paint = paintFor(io);
  io.out(`${printable(check.appId)}: ${check.files} files, ${check.bytes} bytes\n`);
  for (const { severity, path, line, message } of check.findings) {
    const place = path === null ? "" : `${path}${line === null ? "" : `:${line}`}: `;
    io.out(`${mark(severity, paint)} ${printable(place + message)}\n`);
  }
  if (check.truncated) io.out("There is more than was looked at.\n");
  if (isSound) io.out(`${paint.green("ok")}      it can be served${tally(check, ["warning"])}\n`);
  else io.out(`${paint.red("broken")}  it needs mending${tally(check, ["error", "warning"])}\n`);
}

/** How many findings there are of each kind, e.g. `: 2 errors, 1 warning`. */
function tally({ findings }: AppCheck, severities: readonly AppFinding["severity"][]): string {
  const counts = severities.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? "" : "s"}`];
  });
  return counts.length === 0 ? "" : `: ${counts.join(", ")}`;
}

function mark(severity: AppFinding["severity"], { red, yellow, dim }: Paint): string {
  const word = severity.padEnd(7);
  return severity === "error" ? red(word) : severity === "warning" ? yellow(word) : dim(word);
}
