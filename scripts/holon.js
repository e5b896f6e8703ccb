#!/usr/bin/env node
// Plain JavaScript on purpose: an older Node.js loads no TypeScript, but it does load this, and so
// can say in one sentence what it lacks.
import process from "node:process";

const OLDEST = 24;
const found = process.versions.node;

if (Number(found.split(".")[0]) < OLDEST) {
  console.error(
    `Holon needs Node.js ${OLDEST} or newer, and this is ${found}: ` +
      "`npm run serve` uses the one that `npm ci` installs.",
  );
  process.exit(1);
}
const { runAsProgram } = await import("../src/cli/entry.ts");
await runAsProgram({ main: true, url: import.meta.url });
