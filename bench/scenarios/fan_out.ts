/**
 * Events to many subscribers: what is lost or out of order, and how late the last one has it.
 *
 * @module
 */

import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { startSubscribers } from "../client/subscribers.ts";
import type { Figures, Scenario } from "./types.ts";

const SUBSCRIBERS = 1000;
const PER_SECOND = 200;
/** In less time a server that falls behind has no time to show it. */
const LEAST_SECONDS = 10;
/** Events that are posted together: a timer of Node is no finer than this. */
const TOGETHER = 4;

/** Messages of the operator, each of which makes an event. */
export const FAN_OUT: Scenario = {
  id: "fan-out",
  title: `${SUBSCRIBERS} subscribers, ${PER_SECOND} events/s`,
  async run({ start, seconds: least, directory }): Promise<Figures> {
    const seconds = Math.max(least, LEAST_SECONDS);
    const server = await start();
    try {
      const api = new URL("/api/agents/main/", server.base);
      const idle = residentOf(server);
      const stream = new URL("events/stream", api);
      const subscribers = await startSubscribers(stream, SUBSCRIBERS, directory);
      try {
        const open = residentOf(server);
        const cpuBefore = server.cpu() ?? Number.NaN;
        const posted = await postEvents(new URL("messages", api), seconds);
        const { lost, wrong, p50, p99 } = await subscribers.finish(posted);
        const cpu = (server.cpu() ?? Number.NaN) - cpuBefore;
        return {
          events: posted,
          lost,
          "out of order": wrong,
          "p50 ms": p50,
          "p99 ms": p99,
          "KiB per subscriber": (open - idle) * 1024 / SUBSCRIBERS,
          "µs CPU per delivery": cpu * 1e6 / (posted * SUBSCRIBERS),
        };
      } finally {
        subscribers.stop();
      }
    } finally {
      await server.stop();
    }
  },
};

/** Posts at the given rate; gives how many were accepted. */
async function postEvents(url: URL, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const total = Math.round(PER_SECOND * seconds);
  const started = performance.now();
  const answers: Promise<boolean>[] = [];
  while (answers.length < total) {
    const due = (performance.now() - started) / 1000 * PER_SECOND;
    while (answers.length < Math.min(total, due + TOGETHER)) answers.push(post(url, agent));
    await delay(1000 * TOGETHER / PER_SECOND);
  }
  const accepted = (await Promise.all(answers)).filter((it) => it).length;
  agent.destroy();
  return accepted;
}

function post(url: URL, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json" };
    const sent = request(url, { agent, method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode === 200));
    });
    sent.on("error", () => resolve(false));
    sent.end('{"payload":1}');
  });
}

function residentOf(server: { resetPeak(): void; peak(): number | undefined }): number {
  server.resetPeak();
  return server.peak() ?? Number.NaN;
}
