/**
 * Says why a path can't be resolved: whether something is just missing, or a link leads astray.
 *
 * @module
 */

import { Fault } from "../fault.ts";
import { HostError, type HostFiles } from "../host/types.ts";
import { escapeFault, hiddenFault, isHidden, isWithin } from "./asset_path.ts";

/** As many links as Linux follows in one path. */
const MAX_LINKS = 40;

/**
 * Follows a path link by link from a canonical root up to where it breaks: `forbidden` when a link
 * leads out of the root or to a hidden name, whether or not anything is there, else `not_found`.
 */
export async function unresolvedFault(
  files: HostFiles,
  root: string,
  components: readonly string[],
): Promise<Fault> {
  const pending = [...components];
  let current = root;
  let links = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      if (current === root) return escapeFault();
      current = parentOf(current);
      continue;
    }
    if (isHidden(name)) return hiddenFault();
    const target = await linkTarget(files, `${current}/${name}`);
    if (target === "missing") break;
    if (target === null) {
      current = `${current}/${name}`;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) break;
    if (target.to.startsWith("/")) {
      const inside = await placeInside(files, root, target.to);
      if (inside === null) return escapeFault();
      current = root;
      pending.unshift(...inside);
    } else {
      pending.unshift(...target.to.split("/"));
    }
  }
  return missingFault();
}

/** The answer for what isn't there, or is no regular file. */
export function missingFault(): Fault {
  return new Fault("not_found", "There is no such file in this app");
}

// --- internal ---

type Target = { readonly to: string } | "missing" | null;

async function linkTarget(files: HostFiles, path: string): Promise<Target> {
  try {
    const { kind } = await files.lstat(path);
    return kind === "symlink" ? { to: await files.readlink(path) } : null;
  } catch (error) {
    if (error instanceof HostError) return "missing";
    throw error;
  }
}

/** The components of an absolute target below the root, which it may spell by another name. */
async function placeInside(
  files: HostFiles,
  root: string,
  target: string,
): Promise<readonly string[] | null> {
  if (isWithin(root, target)) return target.slice(root.length).split("/");
  const rest: string[] = [];
  for (let path = target; path !== "/"; path = parentOf(path)) {
    try {
      const canonical = await files.realpath(path);
      if (!isWithin(root, canonical)) return null;
      return [...canonical.slice(root.length).split("/"), ...rest];
    } catch (error) {
      if (!(error instanceof HostError)) throw error;
      rest.unshift(path.slice(path.lastIndexOf("/") + 1));
    }
  }
  return null;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/")) || "/";
}
