import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type AppHandler, createAppHandler, outcomeOf } from "../support/app_handler.ts";

describe("the SDK's endpoints", () => {
  let handler: AppHandler;
  before(() => {
    handler = createAppHandler();
    handler.write({ "a/index.html": "A" });
  });
  after(() => handler.remove());
  beforeEach(() => {
    handler.enqueued.length = 0;
    handler.subscriptions.length = 0;
  });

  describe("context", () => {
    it("names agent and app", async () => {
      const response = await handler.fetch("/apps/main/a/context");
      assert.deepEqual(await response.json(), {
        sdk_version: "1",
        agent_id: "main",
        app_id: "a",
        session: { authenticated: true },
      });
    });
    it("takes GET and HEAD only", async () => {
      const response = await handler.fetch("/apps/main/a/context", { method: "POST" });
      assert.equal(response.headers.get("allow"), "GET, HEAD, OPTIONS");
      assert.equal(await outcomeOf(response), "405 method_not_allowed");
    });
  });

  describe("request", () => {
    const SOUND = { version: "1", request_type: "ping", payload: { a: 1 } };
    const post = (body: unknown, headers: Record<string, string> = {}) =>
      handler.fetch("/apps/main/a/request", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });

    it("puts a message into the queue and answers in the contract's shape", async () => {
      const response = await post({ ...SOUND, request_id: "r1" }, { "idempotency-key": "k 1" });
      assert.equal(response.status, 200);
      assert.deepEqual(await response.json(), {
        ok: true,
        version: "1",
        request_id: "r1",
        agent_id: "main",
        app_id: "a",
        status: "accepted",
        message_id: "msg_1",
      });
      assert.deepEqual(handler.enqueued, [{
        agentId: "main",
        origin: "app:a",
        requestType: "ping",
        requestId: "r1",
        payload: { a: 1 },
        idempotencyKey: "k 1",
        trace: null,
      }]);
    });

    it("hands the trace of its sender on, and is refused with a malformed one", async () => {
      const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
      assert.equal(await outcomeOf(await post(SOUND, { traceparent, tracestate: "a=1" })), "200");
      assert.deepEqual(handler.enqueued[0]?.trace, { traceparent, tracestate: "a=1" });
      const malformed = await post(SOUND, { traceparent: "00-1-2-3" });
      assert.equal(await outcomeOf(malformed), "400 bad_request");
      assert.equal(handler.enqueued.length, 1);
    });

    it("takes null for a payload and an id that the app didn't give", async () => {
      for (const request_id of ["", null, undefined]) {
        assert.equal(await outcomeOf(await post({ ...SOUND, payload: null, request_id })), "200");
      }
      assert.deepEqual(handler.enqueued.map(({ requestId }) => requestId), [null, null, null]);
    });

    const refused: [what: string, body: unknown, outcome: string][] = [
      ["no JSON", "{", "400 invalid_json"],
      ["nothing", "", "400 invalid_json"],
      ["an array", [], "422 invalid_json"],
      [
        "a number out of range",
        '{"version":"1","request_type":"ping","payload":{"n":[1e999]}}',
        "422 invalid_json",
      ],
      ["no version", { ...SOUND, version: undefined }, "422 invalid_json"],
      ["a number for a version", { ...SOUND, version: 1 }, "422 invalid_json"],
      ["no payload", { ...SOUND, payload: undefined }, "422 invalid_json"],
      ["an unknown field", { ...SOUND, extra: 1 }, "422 invalid_json"],
      ["a number for an id", { ...SOUND, request_id: 1 }, "422 invalid_json"],
      ["another version", { ...SOUND, version: "2" }, "400 bad_request"],
      ["an empty type", { ...SOUND, request_type: "" }, "400 bad_request"],
      ["a type with a slash", { ...SOUND, request_type: "a/b" }, "400 bad_request"],
      ["a type of dots", { ...SOUND, request_type: ".." }, "400 bad_request"],
      ["a type too long", { ...SOUND, request_type: "a".repeat(129) }, "400 bad_request"],
      ["an id too long", { ...SOUND, request_id: "a".repeat(1025) }, "400 bad_request"],
      ["too much", { ...SOUND, payload: "a".repeat(1024 * 1024) }, "413 request_body_rejected"],
    ];
    for (const [what, body, outcome] of refused) {
      it(`is refused with ${what}`, async () => {
        assert.equal(await outcomeOf(await post(body)), outcome);
        assert.deepEqual(handler.enqueued, []);
      });
    }

    it("is refused when the payload is nested without end", async () => {
      for (const depth of [600, 400_000]) {
        const payload = "[".repeat(depth) + "]".repeat(depth);
        const response = await post(
          `{"version":"1","request_type":"ping","payload":${payload}}`,
        );
        assert.equal(response.status, 400);
        await response.body?.cancel();
      }
      const deep = "[".repeat(500) + "]".repeat(500);
      const sound = `{"version":"1","request_type":"ping","payload":${deep}}`;
      assert.equal(await outcomeOf(await post(sound)), "200");
    });

    it("is refused without a content type, and with an unsound key", async () => {
      const plain = await post(SOUND, { "content-type": "text/plain" });
      assert.equal(await outcomeOf(plain), "415 missing_json_content_type");
      for (const key of ["", "a".repeat(256), "\u00fc"]) {
        const response = await post(SOUND, { "idempotency-key": key });
        assert.equal(await outcomeOf(response), "400 bad_request");
      }
    });

    it("is refused for apps that aren't there", async () => {
      const response = await handler.fetch("/apps/main/absent/request", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(SOUND),
      });
      assert.equal(await outcomeOf(response), "404 not_found");
    });
  });

  describe("events", () => {
    it("streams frames of the app's own events, and word of a gap", async () => {
      handler.deliveries = [
        { kind: "gap", after: 3, oldest: 7 },
        {
          kind: "event",
          event: {
            topic: "agent:main",
            type: "message_enqueued",
            messageId: "msg_1",
            requestId: "r\n1",
            origin: "app:a",
            sequence: 9,
            timestamp: "2026-01-01T00:00:00.000Z",
          },
        },
      ];
      const response = await handler.fetch("/apps/main/a/events", {
        headers: { "last-event-id": "3" },
      });
      assert.equal(response.headers.get("content-type"), "text/event-stream");
      assert.equal(response.headers.get("x-holon-app-sdk-version"), "1");
      const data = {
        version: "1",
        agent_id: "main",
        app_id: "a",
        event: {
          sequence: 9,
          type: "message_enqueued",
          timestamp: "2026-01-01T00:00:00.000Z",
          message_id: "msg_1",
          request_id: "r\n1",
        },
      };
      assert.equal(
        await response.text(),
        'event: holon_gap\ndata: {"after":3,"oldest":7}\n\n' +
          `id: 9\nevent: holon_event\ndata: ${JSON.stringify(data)}\n\n`,
      );
      const [{ topic, filter, after } = {}] = handler.subscriptions;
      assert.deepEqual({ topic, filter, after }, {
        topic: "agent:main",
        filter: { origin: "app:a" },
        after: 3,
      });
    });

    it("begins after the newest event, and names it, when there is no Last-Event-ID", async () => {
      const response = await handler.fetch("/apps/main/a/events");
      await response.body?.cancel();
      assert.equal(handler.subscriptions[0]?.after, 7);
      assert.equal(response.headers.get("x-holon-newest-event-id"), "7");
    });

    for (const id of ["-1", "1.5", "x", "", "0x1"]) {
      it(`is refused with the Last-Event-ID ${JSON.stringify(id)}`, async () => {
        const response = await handler.fetch("/apps/main/a/events", {
          headers: { "last-event-id": id },
        });
        assert.equal(await outcomeOf(response), "400 bad_request");
      });
    }
  });

  describe("holon.js", () => {
    it("is asked for again each time and sent when it changed", async () => {
      const response = await handler.fetch("/apps/main/a/holon.js");
      assert.equal(response.headers.get("content-type"), "text/javascript; charset=utf-8");
      assert.equal(response.headers.get("cache-control"), "no-cache");
      assert.equal(response.headers.get("x-holon-app-sdk-version"), "1");
      assert.equal(response.headers.get("content-length"), "13");
      assert.equal(await response.text(), "/* classic */");
      const tag = response.headers.get("etag") ?? "";
      const again = await handler.fetch("/apps/main/a/holon.js", {
        headers: { "if-none-match": tag },
      });
      assert.equal(again.status, 304);
      const other = await handler.fetch("/apps/main/a/holon.mjs", {
        headers: { "if-none-match": tag },
      });
      assert.equal(await other.text(), "/* module */");
    });
    it("takes no permit", async () => {
      const held = Array.from({ length: 16 }, () => handler.permits.tryAcquire());
      assert.equal(await outcomeOf(await handler.fetch("/apps/main/a/holon.js")), "200");
      for (const release of held) release?.();
    });
  });

  it("raises nothing unexpected", () => assert.deepEqual(handler.unexpected, []));
});
