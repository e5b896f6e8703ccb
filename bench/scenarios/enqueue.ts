/**
 * Messages put into the queue over HTTP, each on disk before its answer, beside a bare loop of
 * single commits to the same disk.
 *
 * @module
 */

import { Agent, request } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Figures, Scenario } from "./types.ts";

/** Below the 10,000 that may wait. */
const MOST = 4000;

/** One and 32 connections. */
export const ENQUEUE: Scenario = {
  id: "enqueue",
  title: "Durable enqueues",
  async run({ start, seconds, directory }): Promise<Figures> {
    const server = await start();
    try {
      const url = new URL("/api/agents/main/messages", server.base);
      await post(url, 1, 0.3);
      const loop = bareLoop(join(directory, "bare.sqlite"), seconds);
      const one = await post(url, 1, seconds);
      const many = await post(url, 32, seconds);
      return {
        "bare commits/s": loop,
        "1 connection, /s": one,
        "32 connections, /s": many,
        "32 connections × bare": many / loop,
      };
    } finally {
      await server.stop();
    }
  },
};

function bareLoop(path: string, seconds: number): number {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE messages (id INTEGER PRIMARY KEY, payload TEXT) STRICT");
  const insert = database.prepare("INSERT INTO messages (payload) VALUES (?)");
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < seconds * 1000; count++) insert.run(`{"n":${count}}`);
  const rate = count / ((performance.now() - started) / 1000);
  database.close();
  return rate;
}

async function post(url: URL, connections: number, seconds: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() - started < seconds * 1000 && count < MOST) {
        count++;
        await postOne(url, agent, `{"payload":{"n":${count}}}`);
      }
    }),
  );
  agent.destroy();
  return count / ((performance.now() - started) / 1000);
}

function postOne(url: URL, agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    const sent = request(url, { agent, method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`A message was answered with ${response.statusCode}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
