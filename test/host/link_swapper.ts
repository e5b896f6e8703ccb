/**
 * Swaps a directory and a link to another place as fast as it can, until it is killed.
 *
 * @module
 */

import { renameSync } from "node:fs";
import process from "node:process";

const [folder = ""] = process.argv.slice(2);
console.log("swapping");
while (true) {
  // inside ↔ the name in use ↔ a link to outside
  renameSync(`${folder}/name`, `${folder}/aside`);
  renameSync(`${folder}/link`, `${folder}/name`);
  renameSync(`${folder}/name`, `${folder}/link`);
  renameSync(`${folder}/aside`, `${folder}/name`);
}
