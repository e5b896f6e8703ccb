/**
 * Measures the terminal UI: from key to screen, and its memory while events run past it.
 *
 * ```sh
 * node bench/tui/run.ts --keys 500 --stall
 * node bench/tui/run.ts --keys 1000 --events-per-minute 10000 --minutes 10 --program "node mod.ts"
 * ```
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";
import process from "node:process";
import { parseArgs } from "node:util";
import { startEventServer } from "./event_server.ts";
import { startTerminal, type Terminal } from "./terminal.ts";

const { values } = parseArgs({
  options: {
    keys: { type: "string", default: "500" },
    "events-per-minute": { type: "string", default: "10000" },
    minutes: { type: "string", default: "0" },
    program: { type: "string", default: `${process.execPath} mod.ts` },
    columns: { type: "string", default: "120" },
    rows: { type: "string", default: "40" },
    view: { type: "string", default: "" },
    stall: { type: "boolean", default: false },
  },
});

const MIB = 1024 * 1024;

/** Braille patterns: one cell each, and nothing else on the screen is one. */
function glyph(index: number): string {
  return String.fromCodePoint(0x2801 + index % 255);
}

/** Types one key after the other, each once the one before is drawn and a pause is over. */
async function measureKeys(terminal: Terminal, count: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const seen = terminal.drawn(glyph(index), 10_000);
    terminal.type(glyph(index));
    times.push(await seen);
    if (index % 40 === 39) terminal.type("\u0015");
    // As fast as a fast typist, and at no fixed phase to the drawing of events.
    await delay(40 + Math.random() * 60);
  }
  return times.toSorted((left, right) => left - right);
}

function report(times: readonly number[]): string {
  const at = (share: number) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  const within = times.filter((time) => time <= 50).length / times.length;
  return `${times.length} keys: median ${at(0.5)} ms, 95 % ${at(0.95)}, 99 % ${at(0.99)}, ` +
    `most ${at(1)}; within 50 ms ${(within * 100).toFixed(2)} %`;
}

const server = await startEventServer(Number(values["events-per-minute"]));
const terminal = startTerminal(
  [...values.program.split(" "), "tui", "--connect", server.url, "--token", "bench-token-bench"],
  { TERM: "xterm-256color", HOLON_HOME: "/nonexistent" },
  { columns: Number(values.columns), rows: Number(values.rows) },
);
try {
  await terminal.drawn("streaming", 60_000);
  if (values.view !== "") terminal.type(`${values.view}\r`);
  if (values.stall) server.stall();
  await delay(2000);
  console.log(report(await measureKeys(terminal, Number(values.keys))));
  const minutes = Number(values.minutes);
  const begun = performance.now();
  const samples: number[] = [];
  for (let tick = 0; performance.now() - begun < minutes * 60_000; tick++) {
    if (tick % 6 === 0) {
      samples.push(terminal.rss() / MIB);
      const minute = ((performance.now() - begun) / 60_000).toFixed(1);
      console.log(
        `minute ${minute}: ${samples.at(-1)?.toFixed(1)} MiB, ${server.sent()} events sent, ` +
          `${(terminal.written / MIB).toFixed(1)} MiB drawn`,
      );
    }
    // Somebody types all the while.
    terminal.type(tick % 20 === 19 ? "\u0015" : "a");
    await delay(5000);
  }
  if (minutes > 0) console.log(report(await measureKeys(terminal, Number(values.keys))));
} finally {
  await terminal.end();
  server.close();
}
