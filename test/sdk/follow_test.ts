import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HolonError } from "../../sdk/src/error.ts";
import { follow, type FollowOptions } from "../../sdk/src/follow.ts";
import { FakeServer } from "./fake_stream.ts";

/** A stream that is followed, with what came of it. */
function start(options: Partial<FollowOptions> = {}) {
  const server = new FakeServer();
  const stop = new AbortController();
  const seen: (string | undefined)[] = [];
  const gaps: unknown[] = [];
  const waits: number[] = [];
  const done = follow({
    transport: { fetch: server.fetch, headers: {} },
    url: "http://127.0.0.1/apps/main/a/events",
    after: null,
    reconnect: true,
    signal: stop.signal,
    onOpen: () => {},
    onEvent: (id) => seen.push(id),
    onGap: (gap) => gaps.push(gap),
    pause: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    ...options,
  });
  return { server, stop, seen, gaps, waits, done };
}

const positionOf = (headers: Headers) => headers.get("last-event-id");

describe("follow()", () => {
  it("asks for what came after the last event at each try", async () => {
    const { server, stop, seen, done } = start();
    const first = await server.next();
    assert.equal(positionOf(first.headers), null);
    const one = first.stream();
    one.event(3);
    one.event(7);
    one.send(": heartbeat\n\n");
    one.end();
    const second = await server.next();
    assert.equal(positionOf(second.headers), "7");
    const two = second.stream();
    two.event(9);
    // What was sent before the cut has to be read first.
    await until(() => seen.length === 3);
    two.cut();
    const third = await server.next();
    assert.equal(positionOf(third.headers), "9");
    third.fail();
    assert.equal(positionOf((await server.next()).headers), "9");
    stop.abort();
    await done;
    assert.deepEqual(seen, ["3", "7", "9"]);
  });

  it("waits 1, 2, 4, 8, 15, 15 s, and 1 s again after a success", async () => {
    const { server, stop, waits, done } = start();
    for (let index = 0; index < 6; index++) (await server.next()).fail();
    (await server.next()).stream().end();
    (await server.next()).fail();
    (await server.next()).fail();
    await server.next();
    stop.abort();
    await done;
    assert.deepEqual(waits, [1, 2, 4, 8, 15, 15, 1, 2, 4].map((seconds) => seconds * 1_000));
  });

  it("tries again when the server is busy, and no sooner than it says", async () => {
    const { server, stop, waits, done } = start();
    (await server.next()).json(503, { error: "Busy", code: "too_many_streams" }, {
      "retry-after": "3",
    });
    (await server.next()).json(429, { error: "Slow down", code: "x" }, { "retry-after": "999" });
    (await server.next()).respond(new Response("<html>", { status: 502 }));
    await server.next();
    stop.abort();
    await done;
    assert.deepEqual(waits, [3_000, 60_000, 4_000]);
  });

  it("throws what the server refuses", async () => {
    for (const status of [400, 401, 403, 404, 421, 500]) {
      const { server, done } = start();
      (await server.next()).json(status, { ok: false, error: "No", code: "some_code", hint: "Do" });
      await assert.rejects(done, (error: HolonError) => {
        assert.ok(error instanceof HolonError);
        const { message, code, hint } = error;
        assert.deepEqual({ message, status: error.status, code, hint }, {
          message: "No",
          status,
          code: "some_code",
          hint: "Do",
        });
        return true;
      });
    }
  });

  it("throws when the answer is no event stream", async () => {
    const { server, done } = start();
    (await server.next()).json(200, {});
    await assert.rejects(done, { code: "bad_response" });
  });

  it("goes on after a gap from the oldest event that is left", async () => {
    const { server, stop, gaps, done } = start({ after: "5" });
    const connection = (await server.next()).stream();
    connection.send('event: holon_gap\ndata: {"after":5,"oldest":40}\n\n');
    await until(() => gaps.length === 1);
    connection.cut();
    assert.equal(positionOf((await server.next()).headers), "39");
    stop.abort();
    await done;
    assert.deepEqual(gaps, [{ after: 5, oldest: 40 }]);
  });

  it("reads frames that come in pieces and ignores those it doesn't know", async () => {
    const { server, stop, seen, done } = start();
    const connection = (await server.next()).stream();
    connection.send("id: 1\r\nevent: holon_ev");
    connection.send(
      'ent\r\ndata: {"a":"é"}\r\n\r\nevent: reload\ndata: x\n\nid: 2\nevent: holon_event\ndata: {}',
    );
    connection.send("\n\n");
    await until(() => seen.length === 2);
    stop.abort();
    await done;
    assert.deepEqual(seen, ["1", "2"]);
  });

  it("takes the newest id that the server names as its position", async () => {
    const { server, stop, done } = start();
    const connection = (await server.next()).stream({ "x-holon-newest-event-id": "41" });
    connection.end();
    assert.equal(positionOf((await server.next()).headers), "41");
    stop.abort();
    await done;
  });

  it("ends with the connection when it isn't to reconnect", async () => {
    const ended = start({ reconnect: false });
    (await ended.server.next()).stream().end();
    await ended.done;
    const broken = start({ reconnect: false });
    (await broken.server.next()).stream().cut();
    await broken.done;
    const refused = start({ reconnect: false });
    (await refused.server.next()).json(503, { error: "Busy", code: "too_many_streams" });
    await assert.rejects(refused.done, { status: 503 });
    const away = start({ reconnect: false });
    (await away.server.next()).fail();
    await assert.rejects(away.done, { status: 0, code: "unreachable" });
    for (const { server } of [ended, broken, refused, away]) assert.equal(server.count, 1);
  });

  it("ends quietly and closes the connection on abort, in whatever state", async () => {
    const opening = start();
    const call = await opening.server.next();
    opening.stop.abort();
    await opening.done;
    assert.equal(call.signal?.aborted, true);

    const open = start();
    const openCall = await open.server.next();
    openCall.stream().event(1);
    await until(() => open.seen.length === 1);
    open.stop.abort();
    await open.done;
    assert.equal(openCall.signal?.aborted, true);

    const waiting = start({
      pause: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve());
        }),
    });
    (await waiting.server.next()).fail();
    setTimeout(() => waiting.stop.abort());
    await waiting.done;
    assert.equal(waiting.server.count, 1);
  });
});

/** Waits for a condition. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}
