/**
 * Event replay against a model (`design.md` decision 10), on a real home: events are appended
 * together, readers come, lag, leave and go on from any number, the window is made larger and
 * smaller, and the service is restarted while appends are under way.
 */

import fc from "fast-check";
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { it } from "node:test";
import { createEventService } from "../../src/events/service.ts";
import { createSqliteEventStore } from "../../src/events/store_sqlite.ts";
import type { Delivery, EventService } from "../../src/events/types.ts";
import { openHomeDatabase } from "../../src/store/open_home_database.ts";
import type { SqliteDatabase } from "../../src/store/sqlite_database.ts";
import { fakeClock } from "../support/fake_host.ts";
import { tempDirectory } from "../support/temp_home.ts";

const TOPIC = "agent:main";
const ORIGINS = ["app:a", "app:b", "operator"] as const;
const FILTERS = [undefined, "app:a", "app:b"] as const;
const REPLAY = 12;
/** Old events are removed once in 64 appends. */
const PRUNE_EVERY = 64;

/** Where a reader goes on: after what it saw last, with live events, or after any number. */
type From = "last" | "live" | number;

/** What happens in a run; readers are named by number. */
type Step =
  | { readonly act: "append"; readonly origins: readonly number[]; readonly wait: boolean }
  | {
    readonly act: "connect";
    readonly reader: number;
    readonly from: From;
    readonly late: boolean;
  }
  | { readonly act: "disconnect" | "pause" | "resume"; readonly reader: number }
  | { readonly act: "restart" }
  | { readonly act: "window"; readonly size: number };

const reader = fc.nat({ max: FILTERS.length - 1 });
const script: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        act: fc.constant("append" as const),
        origins: fc.array(fc.nat({ max: ORIGINS.length - 1 }), { minLength: 1, maxLength: 40 }),
        wait: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        act: fc.constant("connect" as const),
        reader,
        from: fc.oneof(
          { weight: 4, arbitrary: fc.constant<From>("last") },
          { weight: 1, arbitrary: fc.constant<From>("live") },
          { weight: 2, arbitrary: fc.nat({ max: 300 }) as fc.Arbitrary<From> },
        ),
        late: fc.boolean(),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ act: fc.constantFrom("disconnect", "pause", "resume"), reader }),
    },
    { weight: 1, arbitrary: fc.record({ act: fc.constant("restart" as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        act: fc.constant("window" as const),
        size: fc.integer({ min: 1, max: 150 }),
      }),
    },
  ) as fc.Arbitrary<Step>,
  { maxLength: 60, size: "max" },
);

it("subscribe() replays and goes on as the model does", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      await run(steps);
    }),
    { numRuns: 16 },
  );
});

it("subscribe() is asked for every kind of gap", async () => {
  const many = { act: "append", origins: Array.from({ length: 40 }, () => 2), wait: true } as const;
  const kinds = await run([
    { act: "window", size: 20 },
    ...[many, many, many, many],
    { act: "connect", reader: 0, from: 0, late: false },
    { act: "connect", reader: 1, from: 0, late: false },
    { act: "restart" },
    { act: "connect", reader: 2, from: 300, late: false },
    { act: "append", origins: [1], wait: true },
    { act: "disconnect", reader: 2 },
    { act: "connect", reader: 2, from: "last", late: false },
  ]);
  assert.deepEqual([...kinds].sort(), ["ahead", "limit", "none", "pruned"]);
});

/** Runs a script and holds every connection against the model; gives the kinds of gaps it had. */
async function run(steps: readonly Step[]): Promise<ReadonlySet<string>> {
  const world = new World();
  const readers = FILTERS.map((origin) => new Reader(world, origin));
  try {
    for (const step of steps) {
      switch (step.act) {
        case "append":
          world.append(step.origins);
          if (step.wait) await world.settle();
          break;
        case "connect":
          readers[step.reader]?.connect(step.from, step.late);
          break;
        case "restart":
          await world.restart();
          readers.forEach((each) => each.disconnect());
          break;
        case "window":
          world.window = step.size;
          break;
        default:
          readers[step.reader]?.[step.act]();
      }
    }
    readers.forEach((each) => each.resume());
    await world.settle();
    await world.settle();
    world.check();
    return new Set(readers.flatMap((each) => each.check()));
  } finally {
    await world.end();
  }
}

/** A home with its service, and the log as it should be. */
class World {
  /** Origins of the events that were acknowledged, by number less one. */
  readonly log: string[] = [];
  window = 100;
  events: EventService;
  isUp = true;
  #largestWindow = 100;
  readonly #directory = tempDirectory();
  readonly #clock = fakeClock();
  readonly #pending = new Set<Promise<void>>();
  #database: SqliteDatabase;

  constructor() {
    this.#database = this.#open();
    this.events = this.#serve();
  }

  /** Appends events at once, each in a write of its own. */
  append(origins: readonly number[]): void {
    for (const index of origins) {
      const origin = ORIGINS[index] ?? "operator";
      const event = { topic: TOPIC, type: "message_enqueued", requestId: null, origin } as const;
      const work = this.#database.write((sql) =>
        this.events.append(sql, { ...event, messageId: null })
      ).then((sequence) => {
        assert.equal(this.log[sequence - 1], undefined, `${sequence} was given twice`);
        this.log[sequence - 1] = origin;
      });
      this.#pending.add(work);
    }
  }

  /** Waits until all is written and told. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
    this.#pending.clear();
    for (let count = 0; count < 4; count++) await turn();
  }

  /** Ends the service with whatever is under way, and starts it again on the same database. */
  async restart(): Promise<void> {
    this.isUp = false;
    this.events.close();
    await this.#database.close();
    await this.settle();
    this.#database = this.#open();
    this.events = this.#serve();
    this.isUp = true;
  }

  async end(): Promise<void> {
    this.events.close();
    await this.#database.close();
    this.#directory.remove();
  }

  /** Numbers and origins of what is stored right now. */
  stored(): readonly (readonly [number: number, origin: string])[] {
    return this.#database.read((sql) =>
      sql.all("SELECT sequence, origin FROM events ORDER BY sequence")
    ).map((row) => [Number(row["sequence"]), String(row["origin"])] as const);
  }

  /** What is stored are the newest events, not too few and not too many. */
  check(): void {
    const stored = this.stored();
    const { length } = this.log;
    assert.equal(this.events.newest(TOPIC), length);
    const first = length - stored.length + 1;
    assert.deepEqual(stored, this.log.map((origin, at) => [at + 1, origin]).slice(first - 1));
    assert.ok(!this.log.includes(undefined as never), "every number was given");
    const smallest = Math.min(this.#smallestWindow, length);
    assert.ok(stored.length >= smallest, `${stored.length} of ${smallest} are kept`);
    const most = this.#largestWindow + 2 * PRUNE_EVERY;
    assert.ok(stored.length <= most, `${stored.length} are kept, ${most} at most`);
  }

  #smallestWindow = 100;

  #open(): SqliteDatabase {
    return openHomeDatabase({ home: this.#directory.path, now: this.#clock.now }).database;
  }

  #serve(): EventService {
    return createEventService({
      store: createSqliteEventStore(this.#database),
      clock: this.#clock,
      window: () => {
        this.#smallestWindow = Math.min(this.#smallestWindow, this.window);
        this.#largestWindow = Math.max(this.#largestWindow, this.window);
        return this.window;
      },
      limits: {
        total: 10,
        perOrigin: 256,
        originShare: 0.5,
        perTopic: 10,
        waiting: 48,
        replay: REPLAY,
      },
    });
  }
}

/** One connection: what it has to begin with, and what came. */
interface Connection {
  /** A gap as `after..oldest`, then numbers. */
  readonly expected: readonly (number | string)[];
  readonly kind: "ahead" | "limit" | "none" | "pruned";
  /** The newest event when it was read first, live ones when it was made: what follows is live. */
  readonly newest: number;
  readonly seen: (number | string)[];
  ended: boolean;
}

/** A client; one with a filter sees one origin only. */
class Reader {
  readonly #world: World;
  readonly #origin: string | undefined;
  readonly #connections: Connection[] = [];
  #last = 0;
  #leave: AbortController | undefined;
  #held: Promise<void> | undefined;
  #release = () => {};

  constructor(world: World, origin: string | undefined) {
    this.#world = world;
    this.#origin = origin;
  }

  /** @param late whether events come in between the subscription and the first read */
  connect(from: From, late: boolean): void {
    if (this.#leave !== undefined) return;
    const leave = this.#leave = new AbortController();
    const after = from === "last" ? this.#last : from === "live" ? null : from;
    const { events } = this.#world;
    const { signal } = leave;
    const filter = this.#origin === undefined ? {} : { filter: { origin: this.#origin } };
    const newest = events.newest(TOPIC);
    const deliveries = events.subscribe({ topic: TOPIC, after, signal, ...filter });
    const read = () => {
      if (signal.aborted || !this.#world.isUp) return;
      const connection = this.#model(after, newest);
      this.#connections.push(connection);
      void this.#read(deliveries, { connection, leave });
    };
    if (late) setImmediate(read);
    else read();
  }

  disconnect(): void {
    this.#leave?.abort();
    this.#leave = undefined;
  }

  pause(): void {
    this.#held ??= new Promise((resolve) => this.#release = resolve);
  }

  resume(): void {
    this.#held = undefined;
    this.#release();
  }

  /** Holds what came against the log; gives the kinds of gaps. */
  check(): readonly Connection["kind"][] {
    const { log } = this.#world;
    const numbers = log.map((_, index) => index + 1).filter((number) => this.#matches(number));
    for (const { expected, newest, seen, ended } of this.#connections) {
      const all = [...expected, ...numbers.filter((number) => number > newest)];
      // One that ended, as it was left or lagged, has a part without holes from the start.
      assert.deepEqual(seen, ended ? all.slice(0, seen.length) : all);
    }
    return this.#connections.map(({ kind }) => kind);
  }

  /** Decision 10 in plain words. */
  #model(after: number | null, newestBefore: number): Connection {
    const begun = { seen: [], ended: false };
    if (after === null) return { ...begun, newest: newestBefore, expected: [], kind: "none" };
    const stored = this.#world.stored();
    const newest = this.#world.events.newest(TOPIC);
    const base = { ...begun, newest };
    // A number that was never given: nobody can say what is missing.
    if (after > newest) return { ...base, expected: [`${after}..${newest + 1}`], kind: "ahead" };
    const matching = stored.filter(([number, origin]) =>
      number > after && (this.#origin === undefined || origin === this.#origin)
    ).map(([number]) => number);
    const replayed = matching.slice(-REPLAY);
    if (replayed.length < matching.length) {
      return { ...base, expected: [`${after}..${replayed[0]}`, ...replayed], kind: "limit" };
    }
    const oldest = stored[0]?.[0] ?? newest + 1;
    // The event after the reader's is gone, matching or not.
    if (oldest > after + 1) {
      return { ...base, expected: [`${after}..${oldest}`, ...replayed], kind: "pruned" };
    }
    return { ...base, expected: replayed, kind: "none" };
  }

  #matches(number: number): boolean {
    return this.#origin === undefined || this.#world.log[number - 1] === this.#origin;
  }

  async #read(
    deliveries: AsyncIterable<Delivery>,
    { connection, leave }: { readonly connection: Connection; readonly leave: AbortController },
  ): Promise<void> {
    for await (const delivery of deliveries) {
      if (leave.signal.aborted) break;
      if (delivery.kind === "event") {
        connection.seen.push(delivery.event.sequence);
        this.#last = delivery.event.sequence;
      } else {
        connection.seen.push(`${delivery.after}..${delivery.oldest}`);
        this.#last = delivery.oldest - 1;
      }
      await this.#held;
    }
    connection.ended = true;
    if (this.#leave === leave) this.#leave = undefined;
  }
}
