/**
 * Readers of an event stream for machines without a C compiler: they take as much of the processor
 * as the server that they measure.
 *
 * @module
 */

import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { quantile } from "../sample.ts";
import type { Subscribers } from "./subscribers.ts";

/** Each of so many has the time of every event looked at. */
const TIMED_EVERY = 20;

interface Subscriber {
  readonly socket: Socket;
  count: number;
  last: number;
  wrong: number;
}

/** Opens so many streams of a URL. */
export async function portableSubscribers(url: URL, count: number): Promise<Subscribers> {
  const delays: number[] = [];
  const subscribers = await Promise.all(
    Array.from(
      { length: count },
      (_, index) => subscribe(url, index % TIMED_EVERY === 0 ? delays : null),
    ),
  );
  const stop = () => subscribers.forEach(({ socket }) => socket.destroy());
  return {
    async finish(events) {
      const deadline = performance.now() + 10_000;
      while (performance.now() < deadline && subscribers.some((it) => it.count < events)) {
        await delay(50);
      }
      stop();
      return {
        lost: subscribers.reduce((sum, it) => sum + events - it.count, 0),
        wrong: subscribers.reduce((sum, it) => sum + it.wrong, 0),
        p50: quantile(delays, 0.5),
        p99: quantile(delays, 0.99),
      };
    },
    stop,
  };
}

function subscribe(url: URL, delays: number[] | null): Promise<Subscriber> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    const subscriber: Subscriber = { socket, count: 0, last: 0, wrong: 0 };
    let rest = "";
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("data", (text: string) => {
      if (rest === "" && text.startsWith("HTTP/1.1 200")) resolve(subscriber);
      const frames = (rest + text).split("\n\n");
      rest = frames.pop() ?? "";
      for (const frame of frames) take(subscriber, frame, delays);
    });
    socket.write(
      `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: text/event-stream\r\n\r\n`,
    );
  });
}

function take(subscriber: Subscriber, frame: string, delays: number[] | null): void {
  const id = Number(/(?:^|\n)id: (\d+)/.exec(frame)?.[1] ?? 0);
  if (id === 0) return;
  if (subscriber.last !== 0 && id !== subscriber.last + 1) subscriber.wrong++;
  subscriber.last = id;
  subscriber.count++;
  const time = delays === null ? undefined : /"timestamp":"([^"]+)"/.exec(frame)?.[1];
  if (time !== undefined) delays?.push(Date.now() - Date.parse(time));
}
