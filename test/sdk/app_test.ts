import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type * as declared from "../../sdk/holon.d.ts";
import * as sdk from "../../sdk/src/module.ts";
import { FakeServer } from "./fake_stream.ts";

const BASE = "http://127.0.0.1:7878/apps/main/a/";

function start(options: declared.HolonAppOptions = {}) {
  const server = new FakeServer();
  return { server, app: sdk.createHolonApp({ baseUrl: BASE, fetch: server.fetch, ...options }) };
}

describe("createHolonApp()", () => {
  it("gives what holon.d.ts declares", () => {
    // Checked by the compiler: the sources fit the types that authors get.
    const fits: typeof declared = sdk;
    assert.deepEqual(Object.keys(fits).sort(), ["Holon", "HolonError", "createHolonApp"]);
    assert.ok(Object.isFrozen(start().app));
    assert.equal(start().app.version, "1");
  });

  it("asks for the context", async () => {
    const { server, app } = start();
    const answer = app.context();
    const call = await server.next();
    assert.equal(call.url, BASE + "context");
    const context = {
      sdk_version: "1",
      agent_id: "main",
      app_id: "a",
      session: { authenticated: true },
    };
    call.json(200, context);
    assert.deepEqual(await answer, context);
  });

  it("sends requests as the contract has them", async () => {
    const { server, app } = start({ bearerToken: "secret" });
    const answer = app.request("ping", { a: 1 }, "r1");
    const call = await server.next();
    assert.equal(call.url, BASE + "request");
    assert.equal(call.headers.get("content-type"), "application/json");
    assert.equal(call.headers.get("authorization"), "Bearer secret");
    assert.deepEqual(call.body, {
      version: "1",
      request_type: "ping",
      payload: { a: 1 },
      request_id: "r1",
    });
    call.json(200, { ok: true });
    assert.deepEqual(await answer, { ok: true });
  });

  it("sends null for a payload that is left out, and keeps falsy ones", async () => {
    const { server, app } = start();
    for (
      const [payload, sent] of [[undefined, null], [null, null], [0, 0], ["", ""], [false, false]]
    ) {
      const answer = app.request("ping", payload);
      const call = await server.next();
      assert.deepEqual(call.body, { version: "1", request_type: "ping", payload: sent });
      call.json(200, {});
      await answer;
    }
  });

  it("sends an idempotency key as a header, and none by itself", async () => {
    const { server, app } = start();
    for (
      const [options, sent] of [[{ idempotencyKey: "order-7" }, "order-7"], [{}, null]] as const
    ) {
      const answer = app.request("ping", null, "r1", options);
      const call = await server.next();
      assert.equal(call.headers.get("idempotency-key"), sent);
      assert.equal(call.headers.get("content-type"), "application/json");
      call.json(200, {});
      await answer;
    }
  });

  it("throws a HolonError made of the envelope", async () => {
    const { server, app } = start();
    const answer = app.request("ping");
    const envelope = {
      ok: false,
      error: "The queue is full",
      code: "app_queue_full",
      hint: "Wait.",
    };
    (await server.next()).json(429, envelope, { "retry-after": "1" });
    await assert.rejects(answer, (error: sdk.HolonError) => {
      assert.ok(error instanceof sdk.HolonError);
      assert.equal(error.name, "HolonError");
      assert.equal(error.message, "The queue is full");
      assert.equal(error.status, 429);
      assert.equal(error.code, "app_queue_full");
      assert.equal(error.hint, "Wait.");
      assert.equal(error.retryAfter, 1);
      return true;
    });
  });

  it("throws a HolonError for answers that have no envelope, and for none at all", async () => {
    const { server, app } = start();
    const page = app.context();
    (await server.next()).respond(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    await assert.rejects(page, { name: "HolonError", status: 502, code: "http_502" });
    const text = app.context();
    (await server.next()).respond(new Response("hello"));
    await assert.rejects(text, { name: "HolonError", status: 200, code: "bad_response" });
    const none = app.context();
    (await server.next()).fail();
    await assert.rejects(none, { name: "HolonError", status: 0, code: "unreachable" });
  });

  it("takes the folder of its base address", async () => {
    const { server, app } = start({ baseUrl: new URL("index.html", BASE) });
    const answer = app.context();
    const call = await server.next();
    assert.equal(call.url, BASE + "context");
    call.json(200, {});
    await answer;
  });
});

describe("events()", () => {
  it("opens nothing before it is iterated", () => {
    const { server, app } = start();
    app.events();
    assert.equal(server.count, 0);
  });

  it("begins after lastEventId and gives events in order", async () => {
    const { server, app } = start();
    const events = app.events({ lastEventId: "4" });
    const first = events.next();
    const call = await server.next();
    assert.equal(call.url, BASE + "events");
    assert.equal(call.headers.get("last-event-id"), "4");
    assert.equal(call.headers.get("accept"), "text/event-stream");
    const connection = call.stream();
    connection.event(5);
    connection.event(6, "message_of_tomorrow");
    assert.equal((await first).value.event.sequence, 5);
    assert.equal((await events.next()).value.event.type, "message_of_tomorrow");
    await events.return?.();
    assert.equal(call.signal?.aborted, true);
  });

  it("closes the connection on break", async () => {
    const { server, app } = start();
    const loop = (async () => {
      for await (const { event } of app.events()) return event.sequence;
    })();
    const call = await server.next();
    call.stream().event(1);
    assert.equal(await loop, 1);
    assert.equal(call.signal?.aborted, true);
    assert.equal(server.count, 1);
  });

  it("ends quietly on abort, and at once when the signal was aborted before", async () => {
    const { server, app } = start();
    const stop = new AbortController();
    const loop = (async () => {
      for await (const _ of app.events({ signal: stop.signal })) assert.fail("no event was sent");
      return "ended";
    })();
    const call = await server.next();
    call.stream();
    stop.abort();
    assert.equal(await loop, "ended");
    assert.equal(call.signal?.aborted, true);

    for await (const _ of app.events({ signal: AbortSignal.abort() })) assert.fail("aborted");
    assert.equal(server.count, 1);
  });

  it("throws a refusal", async () => {
    const { server, app } = start();
    const first = app.events({ lastEventId: "x" }).next();
    (await server.next()).json(400, { error: "Not a number", code: "bad_request" });
    await assert.rejects(first, { name: "HolonError", code: "bad_request", status: 400 });
  });

  it("calls onGap", async () => {
    const { server, app } = start();
    const gaps: declared.EventGap[] = [];
    const events = app.events({ lastEventId: 1, onGap: (gap) => gaps.push(gap) });
    const first = events.next();
    const connection = (await server.next()).stream();
    connection.send('event: holon_gap\ndata: {"after":1,"oldest":9}\n\n');
    connection.event(9);
    assert.equal((await first).value.event.sequence, 9);
    assert.deepEqual(gaps, [{ after: 1, oldest: 9 }]);
    await events.return?.();
  });

  it("calls onState when the connection is there, and when it is lost", async () => {
    const { server, app } = start();
    const states: declared.EventsState[] = [];
    const events = app.events({
      onState: (state) => {
        states.push(state);
        if (state === "lost") events.return?.();
      },
    });
    const first = events.next();
    const connection = (await server.next()).stream();
    connection.event(1);
    await first;
    assert.deepEqual(states, ["live"]);
    const second = events.next();
    connection.cut();
    assert.equal((await second).done, true);
    assert.deepEqual(states, ["live", "lost"]);
  });

  it("is open before a request that follows it is sent", async () => {
    const { server, app } = start();
    const events = app.events();
    const first = events.next();
    const receipt = app.request("ping");
    const stream = await server.next();
    assert.equal(stream.url, BASE + "events");
    assert.equal(server.count, 1);
    const connection = stream.stream();
    const request = await server.next();
    assert.equal(request.url, BASE + "request");
    request.json(200, {});
    connection.event(1);
    await Promise.all([first, receipt]);
    await events.return?.();
  });
});
