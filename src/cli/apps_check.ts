/**
 * `holon apps check`.
 *
 * @module
 */

import { basename, resolve } from "node:path";
import { readDocument } from "../config/document.ts";
import { type AppSettings, effectiveAppSettings } from "../config/settings.ts";
import { HostError } from "../host/types.ts";
import { requireSegment } from "../identifiers.ts";
import { checkFolder, type FolderCheck } from "./check_folder.ts";
import type { AppsCheckCommand } from "./command.ts";
import { offlineConfig } from "./config_access.ts";
import { CliFailure, EXIT, hostErrorWords } from "./failure.ts";
import { homePaths } from "./home.ts";
import type { CliIo } from "./io.ts";
import { paintFor, printable, printJson } from "./output.ts";

/** Checks an app's folder, which need not be in a home; 1 when it would not be served. */
export async function appsCheck(command: AppsCheckCommand, io: CliIo): Promise<number> {
  const root = await canonicalFolder(io, resolve(io.cwd, command.directory));
  const id = requireSegment(basename(resolve(io.cwd, command.directory)), "The folder's name");
  const check = await checkFolder(io.host.files, root, id, await settingsFor(io, command.home));
  const isSound = check.findings.every(({ level }) => level !== "error");
  if (command.json) printJson(io, { ok: isSound, folder: root, ...check });
  else print(io, check, isSound);
  return isSound ? EXIT.ok : EXIT.failed;
}

async function canonicalFolder(io: CliIo, path: string): Promise<string> {
  try {
    const root = await io.host.files.realpath(path);
    if ((await io.host.files.stat(root)).kind === "directory") return root;
    throw new CliFailure(`${path} is not a directory`);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    throw new CliFailure(`${path} can't be checked: ${hostErrorWords(error)}`, { cause: error });
  }
}

/** The settings of the home, else the defaults: a check needs no home. */
async function settingsFor(io: CliIo, home: string | undefined): Promise<AppSettings> {
  try {
    const { snapshot } = await offlineConfig(io, await homePaths(io, home));
    return effectiveAppSettings(snapshot);
  } catch (error) {
    if (home !== undefined) throw error;
    const reading = readDocument({});
    if (!reading.ok) throw error;
    return effectiveAppSettings(reading.snapshot);
  }
}

function print(io: CliIo, check: FolderCheck, isSound: boolean): void {
  const { green, red, yellow, dim } = paintFor(io);
  if (check.manifest !== null) {
    const { id, name, version, entry } = check.manifest;
    io.out(printable(`${id}: ${name} ${version}, entry ${entry}`) + "\n");
    io.out(`${check.files} files, ${check.bytes} bytes\n`);
  }
  for (const { level, message, hint } of check.findings) {
    const paint = level === "error" ? red : level === "warning" ? yellow : dim;
    io.out(`${paint(`${level}:`)} ${printable(message)}\n`);
    if (hint !== undefined) io.out(`  ${dim(printable(hint))}\n`);
  }
  io.out(isSound ? `${green("ok:")} it can be served\n` : "");
}
