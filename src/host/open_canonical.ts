/**
 * Opens a file at a canonical path so that swapping a link or a directory meanwhile can't lead
 * elsewhere.
 *
 * `O_NOFOLLOW` guards the last component only, and JavaScript has no `openat`, so the path is
 * checked after the open, in one of two ways:
 *
 * - Linux tells the path of an open descriptor. It is a property of what is open, so it can't be
 *   raced: if it equals the canonical path, that is what was opened.
 * - Elsewhere (macOS, or Deno without all permissions, which hides `/proc`) the directories on the
 *   way are examined before and after the open. If one was a link while the file was opened and is
 *   a directory at both looks, it was renamed back in between, and a rename sets the ctime of the
 *   directory that holds it. A ctime can't be set at will, but it moves in steps; so a directory
 *   whose ctime is younger than a step proves nothing, and the open is tried again.
 *
 * @module
 */

import { closeSync, constants, openSync, readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { mayRead } from "./deno_permissions.ts";
import { fstatSync } from "./examine.ts";
import type { FileCalls } from "./file_calls.ts";
import { hostError } from "./host_error.ts";
import { DescriptorFile, openDescriptor } from "./opened_file.ts";
import { HostError, type OpenedFile } from "./types.ts";

/** Longer than a tick of the clock that stamps files (4 to 10 ms), with room to spare. */
const TICK_MS = 25;
const ATTEMPTS = 6;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** How this process can prove where an open file is. */
export interface OpenProof {
  /** Whether `/proc/self/fd` can be read. */
  readonly descriptorPaths: boolean;
  /** How finely the runtime tells a ctime: Deno rounds it down to a second. */
  readonly ctimeStepMs: number;
}

/** Whether `/proc/self/fd` can be read here. */
export function hasDescriptorPaths(): boolean {
  if (!mayRead("/")) return false;
  let descriptor = -1;
  try {
    // The root directory: there on every system, readable, and its name is known.
    descriptor = openSync("/", constants.O_RDONLY);
    return readlinkSync(`/proc/self/fd/${descriptor}`) === "/";
  } catch {
    return false;
  } finally {
    if (descriptor >= 0) closeSync(descriptor);
  }
}

/**
 * Opens the file at a canonical path. Never blocks on a FIFO: callers look at the kind.
 *
 * @throws {HostError} `moved` when something else is there by now, `loop` when a link is
 */
export async function openCanonical(
  path: string,
  proof: OpenProof,
  calls: FileCalls,
): Promise<OpenedFile> {
  if (!proof.descriptorPaths) return await openBetweenLooks(path, proof, calls);
  const file = await openDescriptor(path, FLAGS, calls);
  try {
    if (await calls.readlink(`/proc/self/fd/${file.descriptor}`) === path) return file;
  } catch (error) {
    file.close();
    throw hostError(error, `Examining ${path}`);
  }
  file.close();
  throw moved(path);
}

/**
 * Opens a path that is most likely canonical, where descriptors tell their paths: three calls
 * instead of a look at each directory on the way. `null` when it is not, or can't be opened.
 */
export function openDirect(path: string): DescriptorFile | null {
  let descriptor = -1;
  try {
    descriptor = openSync(path, FLAGS);
    if (readlinkSync(`/proc/self/fd/${descriptor}`) === path) {
      return new DescriptorFile(descriptor, fstatSync(descriptor));
    }
  } catch {
    // Whoever wants to know why goes the long way.
  }
  if (descriptor >= 0) closeSync(descriptor);
  return null;
}

async function openBetweenLooks(
  path: string,
  proof: OpenProof,
  calls: FileCalls,
): Promise<OpenedFile> {
  const settledMs = TICK_MS + proof.ctimeStepMs;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const started = Date.now();
    const before = await lookAtWay(path, calls).catch((error) => {
      throw hostError(error, `Examining ${path}`);
    });
    const file = await openDescriptor(path, FLAGS, calls);
    try {
      const after = await lookAtWay(path, calls);
      const last = await calls.lstat(path);
      const inPlace = last.dev === file.stat.dev && last.ino === file.stat.ino;
      const unchanged = before !== null && before.text === after?.text;
      if (inPlace && unchanged && before.youngest <= started - settledMs) return file;
    } catch (error) {
      file.close();
      throw hostError(error, `Examining ${path}`);
    }
    file.close();
    if (attempt < ATTEMPTS) await delay(settledMs / 2);
  }
  throw moved(path);
}

/** The directories that lead to a path, as they are at one look. */
interface Way {
  /** Identities and ctimes. */
  readonly text: string;
  /** The latest ctime, in ms. */
  readonly youngest: number;
}

/**
 * Looks at the way to a path; `null` when a component is no directory. Directories at its top that
 * Deno's permissions hide are left out: whoever may rename those is trusted with what is below.
 */
async function lookAtWay(path: string, calls: FileCalls): Promise<Way | null> {
  const names = path.split("/").slice(1, -1);
  let text = "";
  let youngest = 0;
  let at = "/";
  for (const name of [...names, null]) {
    if (text !== "" || mayRead(at)) {
      const holder = await calls.lstat(at);
      if (holder.kind !== "directory") return null;
      text += `${holder.dev}:${holder.ino}:`;
      // What holds only the file itself may change freely: no part of the way is renamed in it.
      if (name === null) break;
      text += `${holder.ctimeMs};`;
      youngest = Math.max(youngest, holder.ctimeMs);
    }
    at = at === "/" ? `/${name}` : `${at}/${name}`;
  }
  return { text, youngest };
}

function moved(path: string): HostError {
  return new HostError("moved", `${path} was replaced while it was being opened`);
}
