// Loaded before our TypeScript programs (`node --import`), to say in one sentence what is missing.
// Plain JavaScript on purpose: an older Node.js loads no TypeScript, but it does load this.
import { existsSync } from "node:fs";
import process from "node:process";

const OLDEST = 24;
const found = process.versions.node;

if (!existsSync(new URL("../node_modules/", import.meta.url))) {
  refuse("The packages are not installed yet: run `npm ci` first.");
} else if (Number(found.split(".")[0]) < OLDEST) {
  refuse(
    `Holon needs Node.js ${OLDEST} or newer, and this is ${found}: ` +
      "`npm run serve` and `npm test` use the one that `npm ci` installs.",
  );
}

/** @param {string} sentence */
function refuse(sentence) {
  console.error(sentence);
  process.exit(1);
}
