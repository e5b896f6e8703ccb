import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { callJson } from "../support/json_client.ts";
import { keptConnection } from "../support/kept_connection.ts";
import {
  cpuMilliseconds,
  descriptorsOf,
  residentMebibytes,
  skipWithoutProc,
} from "../support/process_figures.ts";
import { queueClient } from "../support/queue_client.ts";
import {
  get,
  nextEvent,
  rawConnect,
  type RawConnection,
  type RawEvent,
  type RawTarget,
} from "../support/raw_http.ts";
import { runtimeName } from "../support/runtime.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { until } from "../support/until.ts";

/** More than wait for a reader (1,024), and more than the buffers of its connection take as well. */
const EVENTS = 1700;

/** The bound on an app's waiting messages is 1,000. */
const APPS = ["ev", "one", "two", "three", "four"];

describe("bug reports about event streams", { skip: skipWithoutProc }, () => {
  let directory: TempDirectory;
  let holon: ServedHolon;
  let port: number;
  const connections = new Set<RawConnection>();
  before(async () => {
    directory = tempDirectory();
    const home = join(directory.path, "home");
    for (const id of APPS) {
      const app = join(home, "agents", "main", "apps", id);
      mkdirSync(app, { recursive: true, mode: 0o700 });
      writeFileSync(join(app, "index.html"), "E");
    }
    holon = await startHolon({ home, program: PROGRAMS[runtimeName] });
    port = Number(new URL(holon.url).port);
  });
  after(async () => {
    for (const connection of connections) connection.close();
    await holon.stop();
    directory.remove();
  });

  const { request } = queueClient(() => holon.url);
  const entry = async () => (await callJson(holon.url, "/api/agents")).status;

  /** Opens a stream and takes its head. */
  async function stream(
    path: string,
    lines: readonly string[] = [],
    target: RawTarget = { port },
  ): Promise<RawConnection> {
    const connection = await rawConnect(target);
    connections.add(connection);
    connection.write(get(path, "Accept: text/event-stream", ...lines));
    const head = await connection.head();
    assert.equal(head.status, 200);
    assert.equal(head.header("content-encoding"), null);
    return connection;
  }

  /** Sends requests of all apps on 40 connections. */
  async function requestAll(ids: readonly string[]): Promise<void> {
    const unsent = [...ids];
    const send = async (_: unknown, index: number) => {
      const client = keptConnection(port);
      const target = `/apps/main/${APPS[index % APPS.length]}/request`;
      for (let id = unsent.pop(); id !== undefined; id = unsent.pop()) {
        const body = { version: "1", request_type: "many", payload: null, request_id: id };
        assert.equal((await client.post(target, body)).status, 200);
      }
      client.close();
    };
    await Promise.all(Array.from({ length: 40 }, send));
  }

  const requestIdOf = ({ data }: RawEvent): string => JSON.parse(data).event.request_id;

  it("BR-27: nothing is compressed, and each event comes before the next request", async () => {
    const codings = ["Accept-Encoding: gzip, deflate, br, zstd"];
    const streams = await Promise.all([
      stream("/apps/main/ev/events", codings),
      stream("/api/agents/main/events/stream", codings),
      stream("/api/events/stream", codings),
    ]);
    for (const id of ["first", "second", "third"]) {
      assert.equal((await request("ev", { request_id: id })).status, 200);
      for (const connection of streams) {
        assert.equal(requestIdOf(await nextEvent(connection)), id);
      }
    }
    for (const connection of streams) connection.close();
  });

  it("BR-29: streams that were left hold nothing and cost nothing", async () => {
    const { pid } = holon.script;
    const figures: { descriptors: number; memory: number }[] = [];
    for (let round = 0; round < 3; round++) {
      const streams = await Promise.all(
        Array.from({ length: 200 }, () => stream("/apps/main/ev/events")),
      );
      const requests = requestAll(Array.from({ length: 100 }, (_, n) => `${round}-${n}`));
      streams.forEach((connection, index) => {
        if (index % 2 === 0) connection.reset();
        else connection.close();
      });
      assert.equal(await entry(), 200);
      await requests;
      for (const connection of streams) connections.delete(connection);
      // 200 of them would be seen; a few are of the runtime's own.
      const before = figures[0]?.descriptors ?? Infinity;
      await until(() => descriptorsOf(pid) < Math.min(before + 5, 100));
      figures.push({ descriptors: descriptorsOf(pid), memory: residentMebibytes(pid) });
    }
    const [, second, last] = figures;
    assert.ok(last!.memory < second!.memory + 48, JSON.stringify(figures));

    const started = performance.now();
    const used = cpuMilliseconds(pid);
    await delay(2000);
    const share = (cpuMilliseconds(pid) - used) / (performance.now() - started);
    assert.ok(share < 0.05, `${share} of a CPU`);

    const connection = await stream("/apps/main/ev/events");
    assert.equal((await request("ev", { request_id: "after" })).status, 200);
    assert.equal(requestIdOf(await nextEvent(connection)), "after");
    connection.close();
  });

  it("BR-33: a reader that is too slow is told what it lost", async () => {
    const path = "/api/agents/main/events/stream";
    const newest: number = (await callJson(holon.url, "/api/agents/main/state")).body
      .newest_event_id;
    const steady = await stream(path);
    // Its buffers hold far less than those of TCP, which take 20,000 events.
    const unix = { path: join(holon.home, "run", "holon.sock") };
    const slow = await stream(path, ["Connection: close"], unix);
    slow.pause();

    const memory = residentMebibytes(holon.script.pid);
    const ids = Array.from({ length: EVENTS }, (_, n) => `${n}-`.padEnd(1000, "x"));
    const sending = requestAll(ids);
    const seen = new Set<string>();
    for (let sequence = newest + 1; seen.size < EVENTS; sequence++) {
      const event = await nextEvent(steady, 30_000);
      assert.equal(event.id, String(sequence), "in order");
      seen.add(requestIdOf(event));
    }
    await sending;
    assert.deepEqual(seen, new Set(ids));
    const grown = residentMebibytes(holon.script.pid) - memory;
    assert.ok(grown < 64, `${grown} MiB more`);

    slow.resume();
    let position = newest;
    const told = await readOn(slow, (event) => {
      assert.equal(event.event, "holon_event");
      assert.equal(event.id, String(position + 1), "nothing is left out in silence");
      position++;
    });
    assert.equal(told, "closed");
    assert.ok(position < newest + ids.length, "it was too slow for all of them");

    const again = await stream(path, [`Last-Event-ID: ${position}`], unix);
    const gap = await nextEvent(again);
    assert.equal(gap.event, "holon_gap");
    const { after: from, oldest } = JSON.parse(gap.data);
    assert.equal(from, position);
    for (let sequence: number = oldest; sequence <= newest + ids.length; sequence++) {
      assert.equal((await nextEvent(again)).id, String(sequence));
    }
  });
});

/** Hands over all events up to the end of the stream. */
async function readOn(
  connection: RawConnection,
  take: (event: RawEvent) => void,
): Promise<"closed"> {
  while (true) {
    let event: RawEvent;
    try {
      event = await nextEvent(connection);
    } catch (error) {
      if (connection.state() === "open") throw error;
      return "closed";
    }
    take(event);
  }
}
