/**
 * Finds files that import each other in a circle: none of them can be understood, or loaded, first.
 *
 * @module
 */

import { posix } from "node:path";
import type { SourceFile } from "./source.ts";

/** The circles of imports, each once, as the paths along it; imports of types alone don't count. */
export function findCycles(files: readonly SourceFile[]): readonly (readonly string[])[] {
  const imports = new Map(files.map((file) => [file.path, targetsOf(file)] as const));
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path);
    if (start >= 0) cycles.push(trail.slice(start));
    if (start >= 0 || done.has(path)) return;
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return cycles;
}

function targetsOf(file: SourceFile): readonly string[] {
  return file.imports
    .filter(({ specifier, typeOnly }) => !typeOnly && specifier.startsWith("."))
    .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier));
}
