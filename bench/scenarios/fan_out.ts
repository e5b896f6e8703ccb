/**
 * Events to many subscribers: what is lost or out of order, and how late the last one has it.
 *
 * @module
 */

import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type Figures, quantile, type Scenario } from "./types.ts";

const SUBSCRIBERS = 1000;
const PER_SECOND = 200;
/** Each of so many subscribers has the time of every event looked at. */
const TIMED_EVERY = 20;
/** Events that are posted together: a timer of Node is no finer than this. */
const TOGETHER = 4;

/** One reader of the stream, which counts and checks. */
interface Subscriber {
  readonly socket: Socket;
  count: number;
  last: number;
  wrong: number;
}

/** Messages of the operator, each of which makes an event. */
export const FAN_OUT: Scenario = {
  id: "fan-out",
  title: `${SUBSCRIBERS} subscribers, ${PER_SECOND} events/s`,
  async run({ start, seconds }): Promise<Figures> {
    const server = await start();
    const idle = residentOf(server);
    const delays: number[] = [];
    const subscribers = await Promise.all(
      Array.from(
        { length: SUBSCRIBERS },
        (_, index) => subscribe(server.base, index % TIMED_EVERY === 0 ? delays : null),
      ),
    );
    const open = residentOf(server);
    const cpuBefore = server.cpu() ?? Number.NaN;
    const posted = await postEvents(new URL("/api/agents/main/messages", server.base), seconds);
    const deadline = performance.now() + 10_000;
    while (performance.now() < deadline && subscribers.some(({ count }) => count < posted)) {
      await delay(50);
    }
    const cpu = (server.cpu() ?? Number.NaN) - cpuBefore;
    const lost = subscribers.reduce((sum, { count }) => sum + posted - count, 0);
    const wrong = subscribers.reduce((sum, it) => sum + it.wrong, 0);
    subscribers.forEach(({ socket }) => socket.destroy());
    await server.stop();
    return {
      events: posted,
      lost,
      "out of order": wrong,
      "p50 ms": quantile(delays, 0.5),
      "p99 ms": quantile(delays, 0.99),
      "KiB per subscriber": (open - idle) * 1024 / SUBSCRIBERS,
      "µs CPU per delivery": cpu * 1e6 / (posted * SUBSCRIBERS),
    };
  },
};

function subscribe(base: URL, delays: number[] | null): Promise<Subscriber> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(base.port), base.hostname);
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
      `GET /api/agents/main/events/stream HTTP/1.1\r\nHost: ${base.host}\r\n` +
        "Accept: text/event-stream\r\n\r\n",
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
