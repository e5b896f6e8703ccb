import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { callJson } from "../support/json_client.ts";
import { queueClient, type WireMessage } from "../support/queue_client.ts";
import { get, nextEvent, rawConnect } from "../support/raw_http.ts";
import { runtimeName } from "../support/runtime.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { until } from "../support/until.ts";

describe("bug reports about the queue", () => {
  let directory: TempDirectory;
  let home: string;
  let holon: ServedHolon;
  beforeEach(async () => {
    directory = tempDirectory();
    home = join(directory.path, "home");
    for (const id of ["idem", "idem2", "lease"]) {
      const app = join(home, "agents", "main", "apps", id);
      mkdirSync(app, { recursive: true, mode: 0o700 });
      writeFileSync(join(app, "index.html"), "I");
    }
    await start();
  });
  afterEach(async () => {
    await holon?.script.stop();
    directory.remove();
  });

  async function start(): Promise<void> {
    holon = await startHolon({ home, program: PROGRAMS[runtimeName] });
  }

  const queue = queueClient(() => holon.url);
  const times = <T>(count: number, call: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, call));

  /** The types of all events so far, for each message in the order of the first. */
  async function eventTypes(): Promise<string[][]> {
    const state = await callJson(holon.url, "/api/agents/main/state");
    const newest: number = state.body.newest_event_id;
    const stream = await rawConnect({ port: Number(new URL(holon.url).port) });
    stream.write(get("/api/agents/main/events/stream", "Last-Event-ID: 0"));
    await stream.head();
    const types = new Map<string, string[]>();
    for (let sequence = 1; sequence <= newest; sequence++) {
      const frame = await nextEvent(stream);
      assert.equal(frame.id, String(sequence));
      const { message_id, type } = JSON.parse(frame.data).event;
      types.set(message_id, [...types.get(message_id) ?? [], type]);
    }
    stream.close();
    return [...types.values()];
  }

  it("BR-37: requests that share a key are carried out once, also over a restart", async () => {
    const key = { "Idempotency-Key": "one" };
    const payload = { a: 1, b: [2, { c: 3, d: 4 }] };
    const send = (app = "idem", body: Record<string, unknown> = {}) =>
      queue.request(app, { payload, ...body }, key);

    const together = await times(30, () => send());
    assert.deepEqual(new Set(together.map(({ status }) => status)), new Set([200]));
    const ids = new Set(together.map(({ body }) => body.message_id));
    assert.equal(ids.size, 1);
    assert.equal(new Set(together.map(({ body }) => body.request_id)).size, 1);
    assert.equal((await queue.messages()).length, 1);
    ids.add((await send()).body.message_id);
    await holon.script.stop("SIGKILL");
    await start();
    ids.add((await send()).body.message_id);
    const reordered = { b: [2, { d: 4, c: 3 }], a: 1 };
    ids.add((await send("idem", { payload: reordered })).body.message_id);
    assert.equal(ids.size, 1);

    for (const other of [{ payload: { ...payload, a: 2 } }, { request_type: "other" }]) {
      const refused = await send("idem", other);
      assert.deepEqual([refused.status, refused.body.code], [409, "idempotency_conflict"]);
    }
    const elsewhere = await send("idem2");
    assert.equal(elsewhere.status, 200);
    assert.ok(!ids.has(elsewhere.body.message_id));
    assert.equal((await queue.messages()).length, 2);

    const alike = await times(30, () => queue.request("idem", { request_id: "same" }));
    assert.equal(new Set(alike.map(({ body }) => body.message_id)).size, 30);
    assert.deepEqual(await eventTypes(), Array(32).fill(["message_enqueued"]));
  });

  it("BR-39: only the holder of a lease settles a message, also over a crash", async () => {
    /** Claims until there is something to claim: a lease has to end first. */
    async function claimWhenDue(worker: string): Promise<WireMessage> {
      let message: WireMessage | undefined;
      await until(async () => ([message] = await queue.claim(600, worker))[0] !== undefined);
      return message!;
    }
    const status = async () => {
      const { status, attempts } = await queue.message(id);
      return [status, attempts];
    };

    const { body: { message_id: id } } = await queue.request("lease");
    const [first] = await queue.claim(600, "A");
    assert.equal(first?.id, id);
    const others = await times(20, () => queue.claim(600, "other"));
    assert.deepEqual(others.flat(), [], "nobody else gets it while it is held");
    const old = { lease_id: first?.lease_id };
    assert.equal((await queue.settle("extend", id, { ...old, lease_s: 1 })).status, 200);

    const second = await claimWhenDue("B");
    assert.equal(second.id, id);
    assert.notEqual(second.lease_id, first?.lease_id);
    assert.deepEqual([first?.attempts, second.attempts], [1, 2]);
    for (const verb of ["ack", "extend", "fail"] as const) {
      const refused = await queue.settle(verb, id, old);
      assert.deepEqual([refused.status, refused.body.code], [409, "lease_lost"], verb);
      assert.deepEqual(await status(), ["processing", 2]);
    }
    const own = { lease_id: second.lease_id };
    const settled = await queue.settle("ack", id, { ...own, output: { done: true } });
    const again = await queue.settle("ack", id, { ...own, output: { done: true } });
    assert.deepEqual([settled.status, again], [200, settled]);
    assert.deepEqual(await status(), ["succeeded", 2]);

    const { body: { message_id: late } } = await queue.request("lease");
    const [held] = await queue.claim(2, "A");
    assert.equal(held?.id, late);
    await holon.script.stop("SIGKILL");
    await start();
    const redelivered = await claimWhenDue("B");
    assert.deepEqual([redelivered.id, redelivered.attempts], [late, 2]);
    const lost = await queue.settle("ack", late, { lease_id: held?.lease_id });
    assert.equal(lost.body.code, "lease_lost");
    const done = await queue.settle("ack", late, { lease_id: redelivered.lease_id });
    assert.equal(done.status, 200);
    const delivered = "message_processing_started";
    const each = [
      "message_enqueued",
      delivered,
      "message_requeued",
      delivered,
      "message_succeeded",
    ];
    assert.deepEqual(await eventTypes(), [each, each]);
  });
});
