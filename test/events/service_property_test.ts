import fc from "fast-check";
import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import { it } from "node:test";
import { createEventService } from "../../src/events/service.ts";
import { createSqliteEventStore } from "../../src/events/store_sqlite.ts";
import type { Delivery, EventService } from "../../src/events/types.ts";
import { openHomeDatabase } from "../../src/store/open_home_database.ts";
import { fakeClock } from "../support/fake_host.ts";
import { tempDirectory } from "../support/temp_home.ts";

const TOPIC = "agent:main";
const ORIGINS = ["app:a", "app:b", "operator"] as const;

/** What happens in a run; readers are named by number. */
type Step =
  | { readonly act: "append"; readonly origin: number; readonly count: number }
  | { readonly act: "connect" | "disconnect" | "pause" | "resume"; readonly reader: number };

const readers = fc.nat({ max: 2 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      act: fc.constant("append" as const),
      origin: fc.nat({ max: ORIGINS.length - 1 }),
      count: fc.integer({ min: 1, max: 40 }),
    }),
    fc.record({
      act: fc.constantFrom("connect" as const, "disconnect" as const, "pause" as const, "resume"),
      reader: readers,
    }) as fc.Arbitrary<Step>,
  ),
  { maxLength: 60 },
);

/** A client that goes on from its last id; one with a filter sees one origin only. */
class Reader {
  readonly seen: Delivery[] = [];
  readonly #events: EventService;
  readonly #origin: string | undefined;
  #last = 0;
  #leave: AbortController | undefined;
  #held: Promise<void> | undefined;
  #release = () => {};

  constructor(events: EventService, origin: string | undefined) {
    this.#events = events;
    this.#origin = origin;
  }

  connect(): void {
    if (this.#leave !== undefined) return;
    const leave = new AbortController();
    this.#leave = leave;
    const filter = this.#origin === undefined ? {} : { filter: { origin: this.#origin } };
    const { signal } = leave;
    const deliveries = this.#events.subscribe({
      topic: TOPIC,
      after: this.#last,
      signal,
      ...filter,
    });
    this.#read(deliveries, leave);
  }

  async #read(deliveries: AsyncIterable<Delivery>, leave: AbortController): Promise<void> {
    for await (const delivery of deliveries) {
      await this.#held;
      if (leave.signal.aborted) break;
      this.seen.push(delivery);
      if (delivery.kind === "event") this.#last = delivery.event.sequence;
      else this.#last = delivery.oldest - 1;
    }
    if (this.#leave === leave) this.#leave = undefined;
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
}

it("subscribe() loses nothing silently, whatever readers do", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      const home = tempDirectory();
      const clock = fakeClock();
      const { database } = openHomeDatabase({ home: home.path, now: clock.now });
      const events = createEventService({
        store: createSqliteEventStore(database),
        clock,
        window: () => 100,
        limits: { total: 10, perTopic: 10, waiting: 16, replay: 12 },
      });
      const clients = [undefined, "app:a", "app:b"].map((origin) => new Reader(events, origin));
      const model: string[] = [];
      try {
        for (const step of script) {
          if (step.act === "append") {
            const origin = ORIGINS[step.origin] ?? "operator";
            await Promise.all(
              Array.from({ length: step.count }, () =>
                database.write((sql) =>
                  events.append(sql, {
                    topic: TOPIC,
                    type: "message_enqueued",
                    messageId: null,
                    requestId: null,
                    origin,
                  })
                )),
            );
            for (let index = 0; index < step.count; index++) model.push(origin);
          } else {
            clients[step.reader]?.[step.act]();
          }
          await turn();
        }
        for (const client of clients) client.resume();
        await turn();
        for (const client of clients) client.connect();
        await turn();
        await turn();
        clients.forEach((client, index) =>
          check(model, client.seen, [undefined, "app:a", "app:b"][index])
        );
      } finally {
        events.close();
        await database.close();
        home.remove();
      }
    }),
    { numRuns: 40 },
  );
});

/** Every event that matches was seen once and in order, or lies in a gap that was told of. */
function check(model: readonly string[], seen: readonly Delivery[], origin?: string): void {
  const got: number[] = [];
  const lost = new Set<number>();
  for (const delivery of seen) {
    if (delivery.kind === "event") {
      assert(delivery.event.sequence > (got.at(-1) ?? 0), "in order and once");
      assert.equal(delivery.event.origin, model[delivery.event.sequence - 1]);
      got.push(delivery.event.sequence);
    } else {
      assert(delivery.oldest > delivery.after, "a gap of something");
      for (let lose = delivery.after + 1; lose < delivery.oldest; lose++) lost.add(lose);
    }
  }
  const expected = model.map((_, index) => index + 1).filter((number) =>
    origin === undefined || model[number - 1] === origin
  );
  const known = new Set(got);
  assert.deepEqual(expected.filter((number) => !known.has(number) && !lost.has(number)), []);
  assert.deepEqual(
    got.filter((number) => origin !== undefined && model[number - 1] !== origin),
    [],
  );
}
