/**
 * Swaps a folder for a link to another place and back, over and over: `PARENT MILLISECONDS`. In the
 * parent are `real`, `link` and, most of the time, `door`.
 *
 * @module
 */

import { renameSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [parent = "", milliseconds = "0"] = process.argv.slice(2);
const at = (name: string) => join(parent, name);
const end = Date.now() + Number(milliseconds);

while (Date.now() < end) {
  for (const name of ["real", "link"]) {
    renameSync(at(name), at("door"));
    renameSync(at("door"), at(name));
  }
}
