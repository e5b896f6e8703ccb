/**
 * A load client of Node's own parts, for machines without a C compiler: it copies each body, so its
 * figures are lower and not comparable with those of `discard.c`.
 *
 * @module
 */

import { Agent, get } from "node:http";
import type { DiscardResult, Load } from "./clients.ts";

/** Loads a URL for the given time over keep-alive connections. */
export async function fetchAndDiscard(load: Load): Promise<DiscardResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const headers = load.header === undefined ? {} : Object.fromEntries([load.header]);
  const started = performance.now();
  const until = started + load.seconds * 1000;
  const latencies: number[] = [];
  let bytes = 0;
  let refused = 0;
  let broken = 0;
  const one = () =>
    new Promise<void>((resolve) => {
      const asked = performance.now();
      const request = get(load.url, { agent, headers }, (response) => {
        const ok = response.statusCode === (load.status ?? 200);
        response.on("data", (chunk: Uint8Array) => bytes += ok ? chunk.byteLength : 0);
        response.on("end", () => {
          if (ok) latencies.push(performance.now() - asked);
          else refused++;
          resolve();
        });
      });
      request.on("error", () => {
        broken++;
        resolve();
      });
    });
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      while (performance.now() < until) await one();
    }),
  );
  agent.destroy();
  const seconds = (performance.now() - started) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (q: number) => latencies[Math.round(q * (latencies.length - 1))] ?? -1;
  const complete = latencies.length;
  return { complete, bytes, refused, broken, seconds, p50: at(0.5), p99: at(0.99) };
}
