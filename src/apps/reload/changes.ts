/**
 * What happened to an app between two looks at it, and what its pages should do about it.
 *
 * @module
 */

import type { Snapshot } from "./snapshot.ts";

/** What pages should do: load themselves anew, or only these stylesheets. */
export type Change =
  | { readonly kind: "reload" }
  | { readonly kind: "style"; readonly paths: readonly string[] };

/** The difference between two snapshots. */
export interface Difference {
  readonly change: Change;
  /** When the newest of the changed files was changed, by its own times; `null` if none is left. */
  readonly newestMs: number | null;
}

/** More stylesheets than this at once are a new build: the page is loaded anew. */
const MAX_STYLES = 32;

/** Compares two looks at a folder; `null` when no file was added, changed or removed. */
export function differenceOf(before: Snapshot, after: Snapshot): Difference | null {
  const changed: string[] = [];
  let newestMs: number | null = null;
  for (const [path, { mark, changedMs }] of after.files) {
    if (before.files.get(path)?.mark === mark) continue;
    changed.push(path);
    newestMs = Math.max(changedMs, newestMs ?? 0);
  }
  const removed = [...before.files.keys()].some((path) => !after.files.has(path));
  if (changed.length === 0 && !removed) return null;
  const stylesOnly = !removed && changed.length <= MAX_STYLES && changed.every(isStylesheet);
  return {
    change: stylesOnly ? { kind: "style", paths: changed.sort() } : { kind: "reload" },
    newestMs,
  };
}

/** One change for two that follow each other. */
export function combined(first: Change, second: Change): Change {
  if (first.kind === "reload" || second.kind === "reload") return { kind: "reload" };
  return { kind: "style", paths: [...new Set([...first.paths, ...second.paths])].sort() };
}

/** When the newest file was changed; files from the future don't count. 0 where there is none. */
export function newestOf({ files }: Snapshot, now: number): number {
  let newest = 0;
  for (const { changedMs } of files.values()) {
    if (changedMs <= now) newest = Math.max(newest, changedMs);
  }
  return newest;
}

function isStylesheet(path: string): boolean {
  return /\.css$/i.test(path);
}
