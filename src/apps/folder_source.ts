/**
 * The files of an app that is a folder: confined to it, and nothing hidden.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { HostError, type HostFiles, type OpenedFile } from "../host/types.ts";
import { escapeFault, hiddenFault, isHidden, isWithin } from "./asset_path.ts";
import { missingFault, unresolvedFault } from "./dangling_link.ts";
import type { SidecarNames } from "./sidecar_names.ts";
import type { FileSource } from "./types.ts";

/** How often a path is resolved again when it is swapped between the check and the open. */
const ATTEMPTS = 4;

/**
 * Makes the source of a folder's files.
 *
 * A path is resolved, checked to be inside, and opened by its canonical name without following a
 * link; the host verifies that what is open is what was checked. Links that stay inside are fine.
 *
 * @param root the folder's canonical path
 */
export function folderSource(files: HostFiles, root: string, sidecars: SidecarNames): FileSource {
  return {
    async open(components) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const path = await resolve(files, root, components);
        const file = await openRegular(files, path);
        if (file !== null) return { file, name: path.slice(path.lastIndexOf("/") + 1) };
      }
      throw new Fault("service_unavailable", "The file is being replaced again and again");
    },
    codingsBeside(components) {
      const parents = components.slice(0, -1);
      return sidecars.beside([root, ...parents].join("/"), components.at(-1) ?? "");
    },
  };
}

// --- internal ---

/** The canonical path of a published file. */
async function resolve(
  files: HostFiles,
  root: string,
  components: readonly string[],
): Promise<string> {
  let path: string;
  try {
    path = await files.realpath(`${root}/${components.join("/")}`);
  } catch (error) {
    if (!isMissing(error)) throw faultOf(error);
    throw await unresolvedFault(files, root, components);
  }
  if (!isWithin(root, path)) throw escapeFault();
  if (path.slice(root.length + 1).split("/").some(isHidden)) throw hiddenFault();
  return path;
}

/** Opens a regular file; `null` when it was swapped since it was resolved. */
async function openRegular(files: HostFiles, path: string): Promise<OpenedFile | null> {
  let file: OpenedFile;
  try {
    file = await files.openCanonical(path);
  } catch (error) {
    if (error instanceof HostError && error.code === "moved") return null;
    // A socket, or a device without its driver, can't even be opened.
    if (await isNoRegularFile(files, path)) throw missingFault();
    throw isMissing(error) ? missingFault() : faultOf(error);
  }
  if (file.stat.kind === "file") return file;
  file.close();
  throw missingFault();
}

async function isNoRegularFile(files: HostFiles, path: string): Promise<boolean> {
  try {
    return (await files.lstat(path)).kind !== "file";
  } catch {
    return false;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof HostError &&
    ["invalid_path", "is_a_directory", "loop", "not_a_directory", "not_found"].includes(error.code);
}

/** The refusal for a host error; the host's own message names paths and stays inside. */
function faultOf(error: unknown): Fault {
  if (!(error instanceof HostError)) throw error;
  switch (error.code) {
    case "denied":
      return new Fault("forbidden", "Holon may not read this file", {
        hint: "Make the file readable for the user that runs Holon.",
        cause: error,
      });
    case "too_many_open_files":
      return new Fault("service_unavailable", "Too many files are open right now", {
        hint: "Try again in a second.",
        cause: error,
      });
    default:
      return new Fault("app_host_error", "The file could not be opened", { cause: error });
  }
}
