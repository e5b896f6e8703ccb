/**
 * 16 readers that take 64 MiB each, slowly: how much memory that takes.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";
import { readSlowly } from "../client/slow_readers.ts";
import type { Figures, Scenario } from "./types.ts";

const READERS = 16;
/** Pause after each piece that was read, in ms. */
const PAUSE_MS = 20;

/** Grown memory, by the peak while they read. */
export const SLOW_READERS: Scenario = {
  id: "slow-readers",
  title: `${READERS} slow readers of 64 MiB`,
  async run({ start, seconds }): Promise<Figures> {
    const server = await start();
    // What a first large file costs once isn't the readers'.
    const warm = await fetch(new URL("large.bin", server.base));
    for await (const _ of warm.body ?? []);
    server.resetPeak();
    const before = server.peak() ?? Number.NaN;
    const url = new URL("large.bin", server.base);
    const sockets = Array.from({ length: READERS }, () => readSlowly(url, PAUSE_MS));
    await delay(seconds * 1000);
    const growth = (server.peak() ?? Number.NaN) - before;
    sockets.forEach((socket) => socket.destroy());
    await server.stop();
    return { "growth MiB": growth };
  },
};
