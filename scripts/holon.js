#!/usr/bin/env node
// Plain JavaScript on purpose: an older Node.js loads no TypeScript, but it does load this, and so
// can hand over to the newer one that npm installed, or say in one sentence what it lacks.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import module from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

const OLDEST = 24;
const found = process.versions.node;
const installed = fileURLToPath(new URL("../node_modules/node/", import.meta.url));

if (isNewEnough(found)) {
  // As in require_node.js; where Holon is itself a package, its packages lie elsewhere.
  const packages = fileURLToPath(new URL("../node_modules/", import.meta.url));
  if (existsSync(packages)) module.enableCompileCache(`${packages}.cache/holon`);
  const { runAsProgram } = await import("../src/cli/entry.ts");
  await runAsProgram({ main: true, url: import.meta.url });
} else if (isNewEnough(installedVersion())) {
  handOver();
} else {
  refuse();
}

function isNewEnough(version) {
  return Number(version.split(".")[0]) >= OLDEST;
}

/** The version of the npm package `node`; empty when it isn't installed. */
function installedVersion() {
  try {
    return String(JSON.parse(readFileSync(`${installed}package.json`, "utf8")).version);
  } catch {
    return "";
  }
}

/** Runs the installed Node.js in this one's place: same arguments, streams, signals and end. */
function handOver() {
  const args = [...process.execArgv, ...process.argv.slice(1)];
  const child = spawn(`${installed}bin/node`, args, { stdio: "inherit" });
  // Not spawnSync: it could pass no signal on, and a supervisor's would leave the server behind.
  const signals = ["SIGHUP", "SIGINT", "SIGTERM"];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on("error", refuse);
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

function refuse() {
  console.error(
    `Holon needs Node.js ${OLDEST} or newer, and this is ${found}: ` +
      "`npm run serve` uses the one that `npm ci` installs.",
  );
  process.exit(1);
}
