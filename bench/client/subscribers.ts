/**
 * Many readers of an event stream: `subscribe.c`, and one of Node's own parts where there is no
 * compiler.
 *
 * @module
 */

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { compile } from "./compile.ts";
import { portableSubscribers } from "./portable_subscribers.ts";

/** Readers whose streams are open. */
export interface Subscribers {
  /** Waits until all have so many events, for ten seconds at most, and lets go of the streams. */
  finish(events: number): Promise<SubscriberResult>;
  /** Lets go of the streams at once. */
  stop(): void;
}

/** What the readers saw; times in ms. */
export interface SubscriberResult {
  readonly lost: number;
  /** Events whose number wasn't the next one. */
  readonly wrong: number;
  readonly p50: number;
  readonly p99: number;
}

/** Opens so many streams of a URL. */
export async function startSubscribers(
  url: URL,
  count: number,
  directory: string,
): Promise<Subscribers> {
  const program = compile("subscribe", directory);
  if (program === null) return await portableSubscribers(url, count);
  const child = spawn(program, [url.hostname, url.port, url.pathname, String(count)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  if ((await lines.next()).value !== "ready") throw new Error("The streams could not be opened.");
  return {
    async finish(events) {
      child.stdin.end(`${events}\n`);
      const { value } = await lines.next();
      if (value === undefined) throw new Error("The readers have ended.");
      return JSON.parse(value) as SubscriberResult;
    },
    stop: () => child.kill(),
  };
}
