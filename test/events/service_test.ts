import assert from "node:assert/strict";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createEventService, STREAM_LIMITS, type StreamLimits } from "../../src/events/service.ts";
import { createSqliteEventStore } from "../../src/events/store_sqlite.ts";
import type { Delivery, EventService, NewEvent } from "../../src/events/types.ts";
import { Fault } from "../../src/fault.ts";
import { openHomeDatabase } from "../../src/store/open_home_database.ts";
import { openSqliteDatabase, type SqliteDatabase } from "../../src/store/sqlite_database.ts";
import { type FakeClock, fakeClock } from "../support/fake_host.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { until } from "../support/until.ts";

const TOPIC = "agent:main";

function event(origin = "operator", overrides: Partial<NewEvent> = {}): NewEvent {
  const base = {
    topic: TOPIC,
    type: "message_enqueued",
    messageId: "msg_1",
    requestId: null,
  } as const;
  return { ...base, origin, ...overrides };
}

describe("createEventService()", () => {
  let directory: TempDirectory;
  let database: SqliteDatabase;
  let clock: FakeClock;
  let window: number;

  beforeEach(() => {
    directory = tempDirectory();
    clock = fakeClock();
    window = 10_000;
    database = openHomeDatabase({ home: directory.path, now: clock.now }).database;
  });

  afterEach(async () => {
    await database.close();
    directory.remove();
  });

  function service(limits: Partial<StreamLimits> = {}): EventService {
    return createEventService({
      store: createSqliteEventStore(database),
      clock,
      window: () => window,
      limits: { ...STREAM_LIMITS, ...limits },
    });
  }

  const append = (events: EventService, count: number, make = () => event()) =>
    Promise.all(
      Array.from({ length: count }, () => database.write((sql) => events.append(sql, make()))),
    );

  /** Reads in the background; `seen` grows. */
  function read(deliveries: AsyncIterable<Delivery>): { seen: Delivery[]; ended: Promise<void> } {
    const seen: Delivery[] = [];
    const ended = (async () => {
      for await (const delivery of deliveries) seen.push(delivery);
    })();
    return { seen, ended };
  }

  const numbers = (seen: readonly Delivery[]) =>
    seen.map((delivery) =>
      delivery.kind === "event" ? delivery.event.sequence : `${delivery.after}..${delivery.oldest}`
    );

  /** Subscribes with a replay, reads what there is, and leaves. */
  async function replay(events: EventService, after: number, origin?: string) {
    const leave = new AbortController();
    const filter = origin === undefined ? {} : { filter: { origin } };
    const reader = read(
      events.subscribe({ topic: TOPIC, after, signal: leave.signal, ...filter }),
    );
    await turn();
    await turn();
    leave.abort();
    await reader.ended;
    return numbers(reader.seen);
  }

  it("append() numbers each topic 1, 2, 3 …", async () => {
    const events = service();
    assert.equal(events.newest(TOPIC), 0);
    assert.deepEqual(await append(events, 3), [1, 2, 3]);
    assert.deepEqual(await append(events, 1, () => event("operator", { topic: "system" })), [1]);
    assert.deepEqual(await append(service(), 1), [4]);
    assert.equal(events.newest(TOPIC), 4);
  });

  it("append() leaves no trace and uses no number when its transaction fails", async () => {
    const events = service();
    const leave = new AbortController();
    const reader = read(events.subscribe({ topic: TOPIC, after: null, signal: leave.signal }));
    await assert.rejects(database.write((sql) => {
      events.append(sql, event());
      throw new Error("no");
    }));
    await append(events, 1);
    await turn();
    leave.abort();
    await reader.ended;
    assert.deepEqual(numbers(reader.seen), [1]);
  });

  it("append() gives a number once, even after all events were pruned", async () => {
    window = 0;
    const events = service();
    await append(events, 128);
    assert.equal(database.read((sql) => sql.get("SELECT count(*) AS n FROM events"))?.n, 0);
    assert.deepEqual(await append(service(), 1), [129]);
  });

  it("append() keeps the window, and follows when it is made smaller", async () => {
    window = 100;
    const events = service();
    const kept = () =>
      Number(database.read((sql) => sql.get("SELECT count(*) AS n FROM events"))?.n);
    await append(events, 640);
    assert.equal(kept(), 100);
    window = 10;
    await append(events, 64);
    assert.equal(kept(), 10);
  });

  it("subscribe() gives an event with all of its fields", async () => {
    const events = service();
    const leave = new AbortController();
    const stored = { messageId: "msg_7", requestId: "r", type: "message_succeeded" } as const;
    const live = read(events.subscribe({ topic: TOPIC, after: null, signal: leave.signal }));
    await append(events, 1, () => event("app:card", stored));
    const replayed = read(events.subscribe({ topic: TOPIC, after: 0, signal: leave.signal }));
    await turn();
    leave.abort();
    await Promise.all([live.ended, replayed.ended]);
    const timestamp = "2026-01-01T00:00:00.000Z";
    const whole = { ...event("app:card", stored), sequence: 1, timestamp };
    assert.deepEqual(live.seen, [{ kind: "event", event: whole }]);
    assert.deepEqual(replayed.seen, [{ kind: "event", event: whole }]);
  });

  it("subscribe() replays only what matches and came after", async () => {
    const events = service();
    await append(events, 3, () => event("app:a"));
    await append(events, 3, () => event("app:b"));
    assert.deepEqual(await replay(events, 0, "app:b"), [4, 5, 6]);
    assert.deepEqual(await replay(events, 4, "app:b"), [5, 6]);
    assert.deepEqual(await replay(events, 2), [3, 4, 5, 6]);
    assert.deepEqual(await replay(events, 6), []);
  });

  it("subscribe() replays 256 matching events though others lie between", async () => {
    const events = service();
    let count = 0;
    await append(events, 1024, () => event(count++ % 4 === 0 ? "app:a" : "app:b"));
    assert.equal((await replay(events, 0, "app:a")).length, 256);
    await append(events, 1, () => event("app:a"));
    const more = await replay(events, 0, "app:a");
    assert.deepEqual([more.length, more[0], more[1], more.at(-1)], [257, "0..5", 5, 1025]);
  });

  it("subscribe() tells of a gap for a number that was pruned or is ahead", async () => {
    window = 10;
    const events = service();
    await append(events, 128);
    assert.deepEqual(await replay(events, 117), ["117..119", ...range(119, 128)]);
    assert.deepEqual(await replay(events, 118), range(119, 128));
    assert.deepEqual(await replay(events, 129), ["129..129"]);
    assert.deepEqual(await replay(service(), Number.MAX_SAFE_INTEGER), [
      `${Number.MAX_SAFE_INTEGER}..129`,
    ]);
  });

  it("subscribe() ends a reader that lags rather than lose an event", async () => {
    const events = service({ waiting: 8 });
    const leave = new AbortController();
    const slow = events.subscribe({ topic: TOPIC, after: null, signal: leave.signal });
    const filtered = events.subscribe({
      topic: TOPIC,
      filter: { origin: "app:other" },
      after: null,
      signal: leave.signal,
    });
    const fast = read(events.subscribe({ topic: TOPIC, after: null, signal: leave.signal }));
    for (let index = 0; index < 9; index++) await append(events, 1);
    assert.equal(events.subscriptions, 2);
    assert.deepEqual(numbers(await all(slow)), []);
    leave.abort();
    await fast.ended;
    assert.deepEqual(numbers(fast.seen), range(1, 9));
    assert.deepEqual(await all(filtered), []);
  });

  it("subscribe() gives many readers what comes close together, and newcomers none of it", async () => {
    const events = service();
    const leave = new AbortController();
    const open = () => read(events.subscribe({ topic: TOPIC, after: null, signal: leave.signal }));
    const readers = Array.from({ length: 80 }, open);
    await append(events, 1);
    await append(events, 1);
    // The second event may be on its way still.
    const late = open();
    await append(events, 1);
    await until(() => [...readers, late].every(({ seen }) => numbers(seen).at(-1) === 3));
    leave.abort();
    for (const { seen, ended } of readers) {
      await ended;
      assert.deepEqual(numbers(seen), [1, 2, 3]);
    }
    await late.ended;
    assert.deepEqual(numbers(late.seen), [3]);
  });

  it("subscribe() refuses more than its bounds, and counts what has ended", () => {
    const events = service({ total: 3, perTopic: 2 });
    const leave = new AbortController();
    const open = (topic: "agent:main" | "agent:x" | "system") =>
      events.subscribe({ topic, after: null, signal: leave.signal });
    const tooMany = (error: unknown) => error instanceof Fault && error.code === "too_many_streams";
    open(TOPIC);
    open(TOPIC);
    assert.throws(() => open(TOPIC), tooMany);
    open("agent:x");
    assert.throws(() => open("system"), tooMany);
    assert.throws(() => events.subscribeAll(leave.signal), tooMany);
    leave.abort();
    assert.equal(events.subscriptions, 0);
    open("system");
    assert.equal(events.subscriptions, 0, "the signal had aborted before");
  });

  it("subscribe() leaves the owner room that apps can't take", () => {
    const events = service({ total: 12, perTopic: 8, perOrigin: 2, originShare: 0.5 });
    const leave = new AbortController();
    const { signal } = leave;
    const open = (topic: "agent:main" | "agent:x", app: string, ending = signal) =>
      events.subscribe({ topic, filter: { origin: `app:${app}` }, after: null, signal: ending });
    const refused = (topic: "agent:main" | "agent:x", app: string, words: RegExp) =>
      assert.throws(() => open(topic, app), { code: "too_many_streams", message: words });
    const first = new AbortController();
    open(TOPIC, "a", first.signal);
    open(TOPIC, "a");
    refused(TOPIC, "a", /of this app/);
    open(TOPIC, "b");
    open(TOPIC, "c");
    refused(TOPIC, "d", /of this agent's apps/);
    open("agent:x", "a");
    open("agent:x", "b");
    refused("agent:x", "c", /of apps/);
    for (let owner = 0; owner < 3; owner++) events.subscribe({ topic: TOPIC, after: null, signal });
    events.subscribeAll(signal);
    first.abort();
    open(TOPIC, "a");
    refused(TOPIC, "a", /of this app/);
    leave.abort();
    assert.equal(events.subscriptions, 0);
    // All that was counted in was counted out: the same fits once more.
    const again = new AbortController().signal;
    for (const app of ["a", "a", "b", "c"]) open(TOPIC, app, again);
  });

  it("subscribe() lets go of a reader that breaks out", async () => {
    const events = service();
    await append(events, 2);
    const { signal } = new AbortController();
    for await (const delivery of events.subscribe({ topic: TOPIC, after: 0, signal })) {
      assert.deepEqual(numbers([delivery]), [1]);
      break;
    }
    assert.equal(events.subscriptions, 0);
  });

  it("subscribeAll() carries live events of every agent and no others", async () => {
    const events = service();
    const leave = new AbortController();
    const reader = read(events.subscribeAll(leave.signal));
    for (const topic of ["agent:a", "system", "agent:b", "agent:a"] as const) {
      await append(events, 1, () => event("operator", { topic }));
    }
    await turn();
    leave.abort();
    await reader.ended;
    const topics = reader.seen.map((delivery) =>
      delivery.kind === "event" ? `${delivery.event.topic} ${delivery.event.sequence}` : "gap"
    );
    assert.deepEqual(topics, ["agent:a 1", "agent:b 1", "agent:a 2"]);
  });

  it("close() ends every subscription and refuses later ones", async () => {
    const events = service();
    const { signal } = new AbortController();
    const readers = [
      read(events.subscribe({ topic: TOPIC, after: 0, signal })),
      read(events.subscribeAll(signal)),
    ];
    await turn();
    events.close();
    await Promise.all(readers.map((reader) => reader.ended));
    assert.throws(() => events.subscribeAll(signal), Fault);
  });

  it("subscribe() passes on a failure of the storage", async () => {
    const events = service();
    const path = join(directory.path, "other.db");
    const other = openSqliteDatabase({ path });
    const broken = createEventService({
      store: createSqliteEventStore(other),
      clock,
      window: () => 1,
    });
    const { signal } = new AbortController();
    const deliveries = broken.subscribe({ topic: TOPIC, after: 0, signal });
    await assert.rejects(all(deliveries), /no such table/);
    assert.equal(broken.subscriptions, 0);
    await other.close();
    assert.equal(events.subscriptions, 0);
  });

  it("lag() tells how far readers are behind", async () => {
    const events = service();
    const leave = new AbortController();
    const { signal } = leave;
    const slow = events.subscribe({ topic: TOPIC, after: null, signal });
    const fast = read(events.subscribe({ topic: TOPIC, after: null, signal }));
    events.subscribe({ topic: TOPIC, after: null, filter: { origin: "worker" }, signal });
    await append(events, 3);
    while (fast.seen.length < 3) await turn();
    assert.deepEqual(events.lag(), { total: 3, most: 3 });
    const reader = slow[Symbol.asyncIterator]();
    await reader.next();
    assert.deepEqual(events.lag(), { total: 2, most: 2 });
    leave.abort();
    await fast.ended;
    assert.deepEqual(events.lag(), { total: 0, most: 0 });
  });
});

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

async function all(deliveries: AsyncIterable<Delivery>): Promise<Delivery[]> {
  const seen: Delivery[] = [];
  for await (const delivery of deliveries) seen.push(delivery);
  return seen;
}
