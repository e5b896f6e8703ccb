// Loaded before our TypeScript programs (`node --import`), to say in one sentence what is missing.
// Plain JavaScript on purpose: an older Node.js loads no TypeScript, but it does load this.
import { existsSync } from "node:fs";
import module from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

const OLDEST = 24;
const found = process.versions.node;
const packages = new URL("../node_modules/", import.meta.url);

if (!existsSync(packages)) {
  refuse("The packages are not installed yet: run `npm ci` first.");
} else if (Number(found.split(".")[0]) < OLDEST) {
  refuse(
    `Holon needs Node.js ${OLDEST} or newer, and this is ${found}: ` +
      "`npm run serve` and `npm test` use the one that `npm ci` installs.",
  );
} else {
  // What was compiled once starts in half the time. Beside the packages, not in the folder for
  // temporary files: what lies there is run, so nobody else may write to it.
  module.enableCompileCache(fileURLToPath(new URL(".cache/holon", packages)));
}

/** @param {string} sentence */
function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
