/** A clock that jumps, as a time server or an administrator makes it. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { parseHttpDate } from "../../src/http/http_date.ts";
import type { Clock } from "../../src/host/types.ts";
import { callJson } from "../support/json_client.ts";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { queueClient, type WireMessage } from "../support/queue_client.ts";
import { get, nextEvent, rawConnect, rawRequest, type RawResponse } from "../support/raw_http.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { until } from "../support/until.ts";

const DAY = 24 * 60 * 60 * 1000;

describe("a clock that jumps", () => {
  let directory: TempDirectory;
  let offset: number;
  let holon: ListeningHolon;
  const clock: Clock = {
    now: () => Date.now() + offset,
    monotonic: () => performance.now(),
  };
  beforeEach(async () => {
    directory = tempDirectory();
    offset = 0;
    await start();
    holon.write({ "c/index.html": "C" });
  });
  afterEach(async () => {
    await holon.close();
    directory.remove();
    assert.deepEqual(holon.errors, []);
  });

  async function start(): Promise<void> {
    holon = await listeningHolon({ home: directory.path, clock });
  }

  const queue = queueClient(() => holon.url);
  const entry = (...lines: string[]): Promise<RawResponse> =>
    rawRequest({ port: holon.port }, get("/apps/main/c/", ...lines));
  const add = async () => (await queue.request("c")).body.message_id as string;
  async function claimWhenDue(): Promise<WireMessage> {
    let message: WireMessage | undefined;
    await until(async () => ([message] = await queue.claim(600))[0] !== undefined);
    return message!;
  }

  for (const [way, jump] of [["ahead", DAY], ["back", -DAY]] as const) {
    it(`${way} neither ends a lease nor prolongs it`, async () => {
      const id = await add();
      const [held] = await queue.claim(600);
      const lease = { lease_id: held?.lease_id };
      offset = jump;
      assert.deepEqual(await queue.claim(600), [], "it is held on");
      const shorter = await queue.settle("extend", id, { ...lease, lease_s: 1 });
      assert.equal(shorter.status, 200);
      const ends = Date.parse(shorter.body.message.lease_expires_at);
      assert.ok(Math.abs(ends - clock.now()) < 60_000, "it is told by the clock of now");
      offset = -jump;
      const next = await claimWhenDue();
      assert.deepEqual([next.id, next.attempts], [id, 2]);
    });

    it(`${way} neither cuts connections nor keeps them, and the handshake goes on`, async () => {
      const half = await rawConnect({ port: holon.port });
      half.write("GET /handshake HTTP/1.1\r\n");
      offset = jump;
      assert.equal((await rawRequest({ port: holon.port }, get("/handshake"))).status, 200);
      assert.equal(half.state(), "open");
      half.write("Host: localhost\r\n\r\n");
      const { status, json } = await half.response();
      assert.deepEqual([status, json().protocol.version], [200, 1]);
      half.close();
    });

    it(`${way} while nothing runs holds no message for ever`, async () => {
      const id = await add();
      assert.equal((await queue.claim(1))[0]?.id, id);
      await holon.close();
      offset = jump;
      await start();
      assert.equal((await claimWhenDue()).id, id);
    });

    it(`${way} leaves events and messages in the order in which they came`, async () => {
      const stream = await rawConnect({ port: holon.port });
      stream.write(get("/apps/main/c/events"));
      await stream.head();
      const ids: string[] = [];
      for (const now of [0, jump, 0, jump]) {
        offset = now;
        ids.push(await add());
        const event = JSON.parse((await nextEvent(stream)).data).event;
        assert.deepEqual([event.sequence, event.message_id], [ids.length, ids.at(-1)]);
      }
      stream.close();
      assert.deepEqual((await queue.messages()).map(({ id }) => id), ids.toReversed());
      const again = await rawConnect({ port: holon.port });
      again.write(get("/apps/main/c/events", "Last-Event-ID: 1"));
      await again.head();
      for (const id of ids.slice(1)) {
        assert.equal(JSON.parse((await nextEvent(again)).data).event.message_id, id);
      }
      again.close();
      for (const id of ids) assert.equal((await queue.claim(600))[0]?.id, id);
    });

    it(`${way} keeps validators sound`, async () => {
      offset = jump;
      const first = await entry();
      const now = clock.now() / 1000;
      const date = parseHttpDate(first.header("date") ?? "", now) ?? 0;
      assert.ok(Math.abs(date - now) < 60);
      const modified = parseHttpDate(first.header("last-modified") ?? "", now) ?? Infinity;
      assert.ok(modified <= date);
      offset = 0;
      holon.write({ "c/index.html": "Later" });
      const second = await entry(`If-None-Match: ${first.header("etag")}`);
      assert.deepEqual([second.status, second.text()], [200, "Later"]);
    });
  }

  it("back doesn't forget what a key stands for", async () => {
    const send = async () => (await queue.request("c", {}, { "Idempotency-Key": "k" })).body;
    const first = await send();
    offset = -DAY;
    assert.deepEqual([(await send()).message_id, (await queue.messages()).length], [
      first.message_id,
      1,
    ]);
    assert.equal((await callJson(holon.url, "/api/agents")).status, 200);
  });
});
