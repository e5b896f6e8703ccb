/** A client that opens 1,000 event streams of one app (issue 3, hostile apps). */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { STREAM_LIMITS } from "../../src/events/service.ts";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import {
  get,
  nextEvent,
  rawConnect,
  type RawConnection,
  rawRequest,
  type RawResponse,
} from "../support/raw_http.ts";
import { until } from "../support/until.ts";

const MANY = 1_000;

describe("1,000 event streams of one app", () => {
  let holon: ListeningHolon;
  const connections: RawConnection[] = [];

  before(async () => {
    holon = await listeningHolon();
    holon.write({ "hostile/index.html": "hostile", "calm/index.html": "calm" });
  });
  after(async () => {
    connections.forEach((connection) => connection.close());
    await holon?.close();
  });

  /** Opens a stream on a connection of its own. */
  async function open(path: string): Promise<[RawConnection, RawResponse]> {
    const connection = await rawConnect({ port: holon.port });
    connections.push(connection);
    connection.write(get(path));
    return [connection, await connection.head()];
  }

  it("are refused beyond a bound in words, while other apps and the owner go on", async () => {
    let opened = 0;
    for (let count = 0; count < MANY; count += 50) {
      const some = Array.from({ length: 50 }, () => open("/apps/main/hostile/events"));
      for (const [connection, head] of await Promise.all(some)) {
        if (head.status === 200) {
          opened++;
          continue;
        }
        assert.equal(head.status, 503);
        assert.equal(head.header("retry-after"), "1");
        const refusal = JSON.parse(
          String(await connection.take(Number(head.header("content-length")))),
        );
        assert.equal(refusal.code, "too_many_streams");
        assert.match(refusal.error, /^Too many event streams of this app are open$/);
        connection.close();
      }
    }
    assert.equal(opened, STREAM_LIMITS.perOrigin);

    const page = await rawRequest({ port: holon.port }, get("/apps/main/calm/"));
    assert.deepEqual([page.status, page.text()], [200, "calm"]);
    const home = await rawRequest({ port: holon.port }, get("/"));
    assert.equal(home.status, 200);
    const followers: RawConnection[] = [];
    for (
      const path of [
        "/apps/main/calm/events",
        "/api/agents/main/events/stream",
        "/api/events/stream",
      ]
    ) {
      const [connection, head] = await open(path);
      assert.equal(head.status, 200, path);
      followers.push(connection);
    }
    const answer = await fetch(`${holon.url}/apps/main/calm/request`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ version: "1", request_type: "ping", payload: null }),
    });
    const { message_id } = await answer.json() as { message_id: string };
    for (const follower of followers) {
      assert.equal(JSON.parse((await nextEvent(follower)).data).event.message_id, message_id);
    }
    assert.deepEqual(holon.errors, []);
  });

  it("begin with a comment at once, for proxies that hold a head back until a body begins", async () => {
    for (const path of ["/apps/main/calm/events", "/api/agents/main/events/stream"]) {
      const response = await fetch(holon.url + path);
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      assert.equal((await reader.read()).value, ": open\n\n", path);
      await reader.cancel();
    }
  });

  it("leave room as soon as they are closed", async () => {
    connections.splice(0).forEach((connection) => connection.close());
    await until(async () => {
      const response = await fetch(`${holon.url}/apps/main/hostile/events`);
      await response.body?.cancel();
      return response.status === 200;
    });
    await until(() => holon.listener.connections < 10);
  });
});
