/**
 * Fails on an import, a name or a size that breaks a rule of the architecture (`design.md` §2).
 *
 * @module
 */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { ROOT } from "./gate/tools.ts";
import { checkFile } from "./layers/rules.ts";
import { scanSource } from "./layers/source.ts";

const FOLDERS = ["bench", "scripts", "sdk", "src", "test"];

const paths = globSync(["mod.ts", ...FOLDERS.map((folder) => `${folder}/**/*.{ts,js}`)], {
  cwd: ROOT,
}).sort();
const violations = paths.flatMap((path) =>
  checkFile(scanSource(path, readFileSync(join(ROOT, path), "utf8")))
);
for (const { path, line, message } of violations) console.error(`${path}:${line}: ${message}`);
console.log(`${paths.length} files, ${violations.length} broken rules`);
if (violations.length > 0) process.exitCode = 1;
