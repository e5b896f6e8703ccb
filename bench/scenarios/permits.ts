/**
 * 64 clients for 16 permits, some of them slow: what those wait who get none, what those get who
 * do, and whether all is given back.
 *
 * @module
 */

import { setTimeout as delay } from "node:timers/promises";
import { readSlowly } from "../client/slow_readers.ts";
import type { Figures, Scenario } from "./types.ts";

const CLIENTS = 64;
const SLOW = 8;
/** Pause of a slow client after each piece that it has read, in ms. */
const PAUSE_MS = 10;
/** Pause of a client that was refused, in ms. */
const REST_MS = 20;
/** Load before it counts, for runtimes that compile while they run. */
const WARMING_S = 1.5;

/** Clients ask again at once when they were served, and after 20 ms when they were refused. */
export const PERMITS: Scenario = {
  id: "permits",
  title: `${CLIENTS} clients for 16 permits, ${SLOW} of them slow`,
  async run({ start, seconds, client }): Promise<Figures> {
    const server = await start();
    try {
      const url = new URL("large.bin", server.base);
      const connections = CLIENTS - SLOW;
      await client.load({ url, connections, seconds: WARMING_S, restMs: REST_MS });
      const slow = Array.from({ length: SLOW }, () => readSlowly(url, PAUSE_MS));
      await delay(100);
      const result = await client.load({ url, connections, seconds, restMs: REST_MS });
      slow.forEach((socket) => socket.destroy());
      await delay(300);
      const metrics = await (await fetch(new URL("/api/metrics", server.base))).text();
      return {
        "503s": result.refused,
        "503 p50 ms": result.refusalP50,
        "503 p99 ms": result.refusalP99,
        "winners MB/s": result.bytes / 1e6 / result.seconds,
        "whole files": result.complete,
        "broken": result.broken,
        "permits not given back": Number(
          /^holon_asset_permits_in_use (\d+)/m.exec(metrics)?.[1] ?? Number.NaN,
        ),
      };
    } finally {
      await server.stop();
    }
  },
};
