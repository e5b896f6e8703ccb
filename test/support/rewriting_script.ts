/**
 * Rewrites a file in place over and over, as an agent's editor does: `FILE ROUNDS`. A version is a
 * line that says its own length.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import process from "node:process";
import { setTimeout } from "node:timers/promises";

const [file = "", rounds = "0"] = process.argv.slice(2);

for (let round = 0; round < Number(rounds); round++) {
  const filler = "x".repeat(round % 97);
  await writeFile(file, `${filler.length}:${filler}\n`);
  await setTimeout(5);
}
