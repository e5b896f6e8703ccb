/**
 * Changes an app's folder 1,000 times a second, for as many seconds as it is told; at last it writes
 * the page that is to be seen.
 *
 * @module
 */

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const [folder = "", seconds = "1"] = process.argv.slice(2);
const page = readFileSync(join(folder, "index.html"), "utf8");
const begun = performance.now();
const total = Number(seconds) * 1_000;
let changes = 0;
const timer = setInterval(() => {
  const elapsed = performance.now() - begun;
  for (; changes < Math.min(elapsed, total); changes++) change(changes);
  if (elapsed < total) return;
  clearInterval(timer);
  writeFileSync(join(folder, "index.html"), page.replace(/<p>.*<\/p>/, "<p>the end</p>"));
  console.log(`${changes} changes`);
}, 4);

function change(index: number): void {
  const name = join(folder, `d${index % 7}`, `f${index % 300}.js`);
  if (index % 100 === 99) rmSync(join(folder, `d${index % 7}`), { recursive: true, force: true });
  mkdirSync(join(name, ".."), { recursive: true });
  writeFileSync(name, String(index));
}
