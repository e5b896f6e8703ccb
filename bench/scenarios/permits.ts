/**
 * 64 clients for 16 permits, some of them slow: what those wait who get none, what those get who
 * do, and whether all is given back.
 *
 * @module
 */

import { Agent, get } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type Figures, quantile, type Scenario } from "./types.ts";

const CLIENTS = 64;
const SLOW = 8;

/** Clients ask again at once when they were served, and after 20 ms when they were refused. */
export const PERMITS: Scenario = {
  id: "permits",
  title: `${CLIENTS} clients for 16 permits, ${SLOW} of them slow`,
  async run({ start, seconds }): Promise<Figures> {
    const server = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
    const refusals: number[] = [];
    let bytes = 0;
    let served = 0;
    const url = new URL("large.bin", server.base);
    const until = performance.now() + seconds * 1000;
    const ask = (slow: boolean) =>
      new Promise<boolean>((resolve) => {
        const asked = performance.now();
        const sent = get(url, { agent }, (response) => {
          const ok = response.statusCode === 200;
          if (!ok) refusals.push(performance.now() - asked);
          response.on("data", (chunk: Uint8Array) => {
            bytes += ok ? chunk.byteLength : 0;
            if (ok && performance.now() > until) return void sent.destroy();
            if (!slow || !ok) return;
            response.pause();
            setTimeout(() => response.resume(), 10);
          });
          response.on("end", () => {
            served += ok ? 1 : 0;
            resolve(ok);
          });
          response.on("error", () => resolve(true));
        });
        sent.on("error", () => resolve(true));
      });
    await Promise.all(
      Array.from({ length: CLIENTS }, async (_, index) => {
        while (performance.now() < until) if (!await ask(index < SLOW)) await delay(20);
      }),
    );
    agent.destroy();
    await delay(300);
    const metrics = await (await fetch(new URL("/api/metrics", server.base))).text();
    await server.stop();
    return {
      "503s": refusals.length,
      "503 p50 ms": quantile(refusals, 0.5),
      "503 p99 ms": quantile(refusals, 0.99),
      "winners MB/s": bytes / 1e6 / seconds,
      "whole files": served,
      "permits not given back": Number(
        /^holon_asset_permits_in_use (\d+)/m.exec(metrics)?.[1] ?? Number.NaN,
      ),
    };
  },
};
