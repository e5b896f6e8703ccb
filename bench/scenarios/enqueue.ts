/**
 * Messages put into the queue over HTTP, each on disk before its answer, beside a bare loop of
 * single commits to the same disk.
 *
 * @module
 */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { LoadClient } from "../client/clients.ts";
import type { Figures, Scenario } from "./types.ts";

/** Below the 10,000 that may wait, with what one connection sends before. */
const MOST = 6000;

/** One and 32 connections. */
export const ENQUEUE: Scenario = {
  id: "enqueue",
  title: "Durable enqueues",
  async run({ start, seconds, directory, client }): Promise<Figures> {
    const server = await start();
    try {
      const url = new URL("/api/agents/main/messages", server.base);
      await warmUp(client, server.base);
      // Beside each other, since a disk is not always equally fast.
      const loop = bareLoop(join(directory, "bare.sqlite"), seconds);
      const one = await post(client, url, 1, seconds);
      const many = await post(client, url, 32, seconds);
      const again = bareLoop(join(directory, "again.sqlite"), seconds);
      const bare = (loop + again) / 2;
      return {
        "bare commits/s": bare,
        "1 connection, /s": one,
        "1 connection × bare": one / bare,
        "32 connections, /s": many,
        "32 connections × bare": many / bare,
      };
    } finally {
      await server.stop();
    }
  },
};

/** To an agent of its own, so that what is measured begins with an empty queue. */
async function warmUp(client: LoadClient, base: URL): Promise<void> {
  const { ok, status } = await fetch(new URL("/api/agents", base), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"id":"warm"}',
  });
  if (!ok) throw new Error(`No agent could be made: ${status}`);
  await post(client, new URL("/api/agents/warm/messages", base), 32, 3);
}

async function post(
  client: LoadClient,
  url: URL,
  connections: number,
  seconds: number,
): Promise<number> {
  const body = '{"payload":{"n":12345}}';
  const result = await client.load({ url, connections, seconds, body, most: MOST });
  if (result.refused + result.broken > 0) throw new Error("Messages were refused.");
  return result.complete / result.seconds;
}

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
