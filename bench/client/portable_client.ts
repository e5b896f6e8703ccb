/**
 * A load client of Node's own parts, for machines without a C compiler: it copies each body, so its
 * figures are lower and not comparable with those of `discard.c`.
 *
 * @module
 */

import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { quantile } from "../sample.ts";
import type { DiscardResult, Load } from "./clients.ts";

/** Loads a URL for the given time over keep-alive connections. */
export async function fetchAndDiscard(load: Load): Promise<DiscardResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: load.connections });
  const { body, most = Infinity, restMs = 0 } = load;
  const headers = {
    ...(load.header === undefined ? {} : Object.fromEntries([load.header])),
    ...(body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
  };
  const options = { agent, headers, method: body === undefined ? "GET" : "POST" };
  const started = performance.now();
  const until = started + load.seconds * 1000;
  const latencies: number[] = [];
  const refusals: number[] = [];
  let bytes = 0;
  let broken = 0;
  /** Whether the answer was the right one. */
  const one = () =>
    new Promise<boolean>((resolve) => {
      const asked = performance.now();
      const sent = request(load.url, options, (response) => {
        const ok = response.statusCode === (load.status ?? 200);
        response.on("data", (chunk: Uint8Array) => {
          bytes += ok ? chunk.byteLength : 0;
          // A large body that is still coming in is of no more use.
          if (performance.now() >= until) sent.destroy();
        });
        response.on("end", () => {
          (ok ? latencies : refusals).push(performance.now() - asked);
          resolve(ok);
        });
        response.on("error", () => resolve(true));
      });
      sent.on("error", () => {
        if (performance.now() < until) broken++;
        resolve(true);
      });
      sent.end(body);
    });
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      while (performance.now() < until && latencies.length < most) {
        if (!await one() && restMs > 0) await delay(restMs);
      }
    }),
  );
  agent.destroy();
  const at = (values: readonly number[], part: number) =>
    values.length === 0 ? -1 : quantile(values, part);
  return {
    complete: latencies.length,
    bytes,
    refused: refusals.length,
    broken,
    seconds: (performance.now() - started) / 1000,
    p50: at(latencies, 0.5),
    p99: at(latencies, 0.99),
    refusalP50: at(refusals, 0.5),
    refusalP99: at(refusals, 0.99),
  };
}
