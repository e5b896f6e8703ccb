/**
 * Writes half a megabyte to stderr and tells on stdout how its timers fared meanwhile; ends itself
 * when told to, or when all is written.
 *
 * @module
 */

import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { createHost } from "../../src/host/current.ts";

const host = createHost();
const line = new TextEncoder().encode("x".repeat(1023) + "\n");

async function writeAll(): Promise<string> {
  try {
    for (let index = 0; index < 512; index++) await host.writeStderr(line);
    return "written";
  } catch {
    return "failed";
  }
}

let outcome = "waiting";
void writeAll().then((end) => outcome = end);
let ticks = 0;
while (ticks < 50) {
  await delay(5);
  ticks++;
}
while (process.argv[2] === "wait" && outcome === "waiting") await delay(5);
process.stdout.write(`${outcome} after ${ticks} ticks\n`, () => process.exit(0));
