/**
 * Fails on an import, a name or a size that breaks a rule of the architecture (`design.md` §2).
 *
 * @module
 */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { ROOT } from "./gate/tools.ts";
import { findCycles } from "./layers/cycles.ts";
import { checkFile } from "./layers/rules.ts";
import { scanSource } from "./layers/source.ts";

const FOLDERS = ["bench", "scripts", "sdk", "src", "test"];

const paths = globSync(["mod.ts", ...FOLDERS.map((folder) => `${folder}/**/*.{ts,js}`)], {
  cwd: ROOT,
}).sort();
const files = paths.map((path) => scanSource(path, readFileSync(join(ROOT, path), "utf8")));
const faults = [
  ...files.flatMap(checkFile).map(({ path, line, message }) => `${path}:${line}: ${message}`),
  ...findCycles(files).map((cycle) => `${cycle.join(" → ")} → ${cycle[0]}: imports in a circle`),
];
for (const fault of faults) console.error(fault);
console.log(`${files.length} files, ${faults.length} broken rules`);
if (faults.length > 0) process.exitCode = 1;
