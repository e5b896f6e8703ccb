import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { agentRoutes } from "../../src/agents/routes.ts";
import { eventRoutes } from "../../src/events/routes.ts";
import { Fault } from "../../src/fault.ts";
import { createRouter, type Dispatch } from "../../src/http/router.ts";
import type { RouteScope } from "../../src/http/route.ts";
import { parseTarget } from "../../src/http/target.ts";
import { LOCAL_CLIENT } from "../support/local_client.ts";
import { type AgentsUnderTest, openAgents } from "./open_agents.ts";

const APPS = [
  {
    id: "card",
    app: {
      id: "card",
      name: "Card",
      version: "1",
      entry: "index.html",
      description: null,
      url: "/apps/main/card/",
    },
    problem: null,
  },
  { id: "torn", app: null, problem: "manifest.json is not valid JSON" },
];

// deno-lint-ignore no-explicit-any
type Json = any;

describe("agentRoutes()", () => {
  let tested: AgentsUnderTest;
  let dispatch: Dispatch;

  beforeEach(async () => {
    tested = await openAgents();
    await tested.agents.start();
    const { agents, events } = tested;
    dispatch = createRouter([
      ...eventRoutes({ events }),
      ...agentRoutes({ agents, events, listApps: () => Promise.resolve(APPS) }),
    ]);
  });
  afterEach(() => tested.close());

  async function send(
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string>; scopes?: RouteScope[] } = {},
  ): Promise<Response> {
    const { body, headers = {}, scopes = ["read", "control"] } = options;
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return await dispatch({
      request,
      info: null,
      client: LOCAL_CLIENT,
      target: parseTarget(path),
      principal: { kind: "token", scopes: new Set(scopes), sessionId: null },
      requestId: "test",
    });
  }

  const get = async (path: string): Promise<Json> => await (await send("GET", path)).json();
  const post = async (path: string, body: unknown = {}): Promise<Json> =>
    await (await send("POST", `/api/agents/main/messages${path}`, { body })).json();

  /** The code and the status of a refusal. */
  async function refusal(answer: Promise<unknown>): Promise<string> {
    try {
      await answer;
      return "none";
    } catch (error) {
      if (error instanceof Fault) return `${error.status} ${error.code}`;
      throw error;
    }
  }

  it("lists agents with runner, problem and queue", async () => {
    await tested.giveRunner("zeta", 2);
    await post("", { text: "hello" });
    const none = { queued: 0, processing: 0, succeeded: 0, failed: 0, cancelled: 0 };
    assert.deepEqual(await get("/api/agents"), {
      agents: [
        { id: "main", runner: null, problem: null, queue: { ...none, queued: 1 } },
        {
          id: "zeta",
          runner: { command: ["fake"], timeout_s: 600, concurrency: 2 },
          problem: null,
          queue: none,
        },
      ],
    });
  });

  it("makes an agent once, without a runner", async () => {
    const create = async (id: string): Promise<Json> =>
      await (await send("POST", "/api/agents", { body: { id } })).json();
    const agent = { id: "researcher", runner: null, problem: null };
    assert.deepEqual(await create("researcher"), { ok: true, agent, created: true });
    assert.deepEqual(await create("researcher"), { ok: true, agent, created: false });
    const { agents } = await get("/api/agents");
    assert.deepEqual(agents.map((it: Json) => it.id), ["main", "researcher"]);
    for (const id of [".hidden", "a/b", "", ".."]) {
      assert.match(await refusal(create(id)), /^40[03] /, id);
    }
    const reader = { body: { id: "other" }, scopes: ["read"] as RouteScope[] };
    assert.match(await refusal(send("POST", "/api/agents", reader)), /^403 /);
  });

  it("gives an agent's state, broken apps included", async () => {
    await post("", { payload: null });
    for (const path of ["/api/agents/main", "/api/agents/main/state"]) {
      const { agent, apps, queue, newest_event_id } = await get(path);
      assert.equal(agent.id, "main");
      assert.equal(queue.queued, 1);
      assert.equal(newest_event_id, 1);
      assert.deepEqual(apps[1], {
        id: "torn",
        name: null,
        version: null,
        entry: null,
        description: null,
        url: null,
        problem: "manifest.json is not valid JSON",
      });
    }
    const { apps } = await get("/api/agents/main/apps");
    assert.deepEqual([apps[0].name, apps[0].url, apps[0].problem], [
      "Card",
      "/apps/main/card/",
      null,
    ]);
  });

  it("takes operator input and shows it", async () => {
    const accepted = await post("", { text: "hi", request_type: "note", request_id: "r1" });
    assert.deepEqual({ ...accepted, message_id: "" }, {
      ok: true,
      agent_id: "main",
      message_id: "",
      request_id: "r1",
      status: "accepted",
      replayed: false,
    });
    const { message } = await get(`/api/agents/main/messages/${accepted.message_id}`);
    assert.deepEqual(
      [message.origin, message.provenance.authority, message.payload, message.status],
      ["operator", "operator", { text: "hi" }, "queued"],
    );
    const { messages, next_before } = await get("/api/agents/main/messages?status=queued");
    assert.deepEqual(messages, [message]);
    assert.equal(next_before, null);
  });

  it("replays the answer of an Idempotency-Key and says so", async () => {
    const options = { body: { payload: [1] }, headers: { "idempotency-key": "k" } };
    const first = await send("POST", "/api/agents/main/messages", options);
    const second = await send("POST", "/api/agents/main/messages", options);
    assert.equal(first.headers.get("idempotency-replayed"), null);
    assert.equal(second.headers.get("idempotency-replayed"), "true");
    assert.equal((await first.json()).message_id, (await second.json()).message_id);
    const other = { ...options, body: { payload: [2] } };
    assert.equal(
      await refusal(send("POST", "/api/agents/main/messages", other)),
      "409 idempotency_conflict",
    );
    for (const key of ["", "x".repeat(256)]) {
      const wrong = { ...options, headers: { "idempotency-key": key } };
      assert.equal(
        await refusal(send("POST", "/api/agents/main/messages", wrong)),
        "400 bad_request",
      );
    }
  });

  it("keeps the trace of whoever sends, and refuses a malformed one", async () => {
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const path = "/api/agents/main/messages";
    const sent = await send("POST", path, {
      body: { text: "hello" },
      headers: { traceparent, tracestate: "a=1" },
    });
    const { message_id } = await sent.json();
    const { message } = await get(`${path}/${message_id}`);
    assert.deepEqual([message.traceparent, message.tracestate], [traceparent, "a=1"]);
    const wrong = { body: { text: "hello" }, headers: { traceparent: "00-1-2-3" } };
    assert.equal(await refusal(send("POST", path, wrong)), "400 bad_request");
  });

  it("pages through messages", async () => {
    const ids = [];
    for (let count = 0; count < 5; count++) {
      ids.unshift((await post("", { payload: count })).message_id);
    }
    const first = await get("/api/agents/main/messages?limit=2");
    assert.equal(first.next_before, ids[1]);
    const rest = await get(`/api/agents/main/messages?limit=3&before=${first.next_before}`);
    assert.deepEqual(rest.messages.map(({ id }: Json) => id), ids.slice(2));
    for (const query of ["limit=0", "limit=201", "limit=x", "status=lost", "before=msg_none"]) {
      assert.equal(
        await refusal(get(`/api/agents/main/messages?${query}`)),
        "400 bad_request",
        query,
      );
    }
  });

  it("lets a worker claim, extend, acknowledge and fail", async () => {
    for (let count = 0; count < 3; count++) await post("", { payload: count });
    const { messages } = await post("/claim", { limit: 2, lease_s: 30, worker: "w1" });
    assert.deepEqual(messages.map(({ payload }: Json) => payload), [0, 1]);
    const [first, second] = messages;
    assert.equal(first.lease_expires_at, "2026-01-01T00:00:30.000Z");
    const lease = { lease_id: first.lease_id };
    const extended = await post(`/${first.id}/extend`, { ...lease, lease_s: 90 });
    assert.equal(extended.message.lease_expires_at, "2026-01-01T00:01:30.000Z");
    const acked = await post(`/${first.id}/ack`, { ...lease, output: { ok: 1 } });
    assert.deepEqual(
      [acked.message.status, acked.message.result.stdout],
      ["succeeded", '{"ok":1}'],
    );
    const failed = await post(`/${second.id}/fail`, { lease_id: second.lease_id, error: "no" });
    assert.deepEqual([failed.message.status, failed.message.result.error], ["failed", "no"]);
    const forged = post(`/${second.id}/ack`, { lease_id: first.lease_id });
    assert.equal(await refusal(forged), "409 lease_lost");
    const settled = post(`/${second.id}/ack`, { lease_id: second.lease_id });
    assert.equal(await refusal(settled), "409 message_settled");
    assert.equal((await post("/claim")).messages.length, 1);
    assert.deepEqual(await post("/claim"), { messages: [] });
  });

  it("cancels without a body", async () => {
    const { message_id } = await post("", { text: "x" });
    const path = `/api/agents/main/messages/${message_id}/cancel`;
    for (let count = 0; count < 2; count++) {
      const { message } = await (await send("POST", path)).json();
      assert.equal(message.status, "cancelled");
    }
  });

  it("refuses bodies of the wrong shape", async () => {
    const wrong: [string, unknown][] = [
      ["", {}],
      ["", { text: "a", payload: 1 }],
      ["", { text: 1 }],
      ["", { text: "a", extra: 1 }],
      ["", { payload: 1, request_type: 5 }],
      ["/claim", { limit: 0 }],
      ["/claim", { lease_s: 3601 }],
      ["/msg_1/ack", {}],
      ["/msg_1/extend", { lease_s: 5 }],
      ["/msg_1/fail", { lease_id: "l", retry: "yes" }],
    ];
    for (const [path, body] of wrong) {
      assert.equal(await refusal(post(path, body)), "422 invalid_json", JSON.stringify(body));
    }
    const deep = `{"payload":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    const answer = dispatch({
      request: new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: deep,
      }),
      info: null,
      client: LOCAL_CLIENT,
      target: parseTarget("/api/agents/main/messages"),
      principal: { kind: "token", scopes: new Set(["control"]), sessionId: null },
      requestId: "test",
    });
    assert.match(await refusal(answer), /^400 (bad_request|invalid_json)$/);
  });

  it("refuses numbers that it could only keep as null, and changes nothing", async () => {
    const { message_id } = await post("", { text: "x" });
    const [{ lease_id }] = (await post("/claim")).messages;
    const outOfRange = (path: string, body: unknown) => {
      const text = JSON.stringify(body).replace('"HUGE"', "-1e999");
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: text };
      return dispatch({
        request: new Request("http://localhost/", init),
        info: null,
        client: LOCAL_CLIENT,
        target: parseTarget(`/api/agents/main/messages${path}`),
        principal: { kind: "token", scopes: new Set(["control"]), sessionId: null },
        requestId: "test",
      });
    };
    const wrong: [string, unknown][] = [
      ["", { payload: "HUGE" }],
      ["", { payload: { deep: [{ n: "HUGE" }] } }],
      [`/${message_id}/ack`, { lease_id, output: { n: "HUGE" } }],
      [`/${message_id}/fail`, { lease_id, output: ["HUGE"], retry: true }],
    ];
    for (const [path, body] of wrong) {
      assert.equal(await refusal(outOfRange(path, body)), "422 invalid_json", path);
    }
    const { queue } = await get("/api/agents/main/state");
    assert.deepEqual([queue.queued, queue.processing], [0, 1]);
  });

  it("answers 404 for agents and messages that are not there, on every route", async () => {
    const lease = { lease_id: "l" };
    const none = [
      ...["", "/state", "/apps", "/events/stream", "/messages", "/messages/msg_1"]
        .map((path) => () => get(`/api/agents/none${path}`)),
      () => get("/api/agents/main/messages/msg_1"),
      ...["extend", "ack", "fail"].map((verb) => () => post(`/msg_1/${verb}`, lease)),
      () => post("/msg_1/cancel"),
      () => post("/msg_1/retry"),
      () => send("POST", "/api/agents/none/messages", { body: { text: "x" } }),
      () => send("POST", "/api/agents/none/messages/claim", { body: {} }),
    ];
    for (const answer of none) assert.equal(await refusal(answer()), "404 not_found");
    assert.equal(await refusal(get("/api/agents/.hidden")), "403 forbidden");
    assert.equal(await refusal(get("/api/agents/a%20b")), "400 bad_request");
  });

  it("needs control to change something, and read to look", async () => {
    const body = { text: "x" };
    for (const path of ["", "/claim", "/m/ack", "/m/fail", "/m/extend", "/m/cancel", "/m/retry"]) {
      const answer = send("POST", `/api/agents/main/messages${path}`, { body, scopes: ["read"] });
      assert.equal(await refusal(answer), "403 forbidden", path);
    }
    assert.equal(await refusal(send("GET", "/api/agents", { scopes: ["app"] })), "403 forbidden");
  });

  it("streams an agent's events after Last-Event-ID, and then live", async () => {
    await post("", { text: "1", request_id: "r1" });
    const options = { headers: { "last-event-id": "0" } };
    const response = await send("GET", "/api/agents/main/events/stream", options);
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    assert.equal(response.headers.get("x-holon-newest-event-id"), "1");
    const merged = await send("GET", "/api/events/stream");
    await post("", { text: "2" });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (text.split("data: ").length < 3) text += (await reader?.read())?.value ?? "";
    const [replayed, live] = text.replace(": open\n\n", "").split("\n\n");
    const [id, event, data] = (replayed ?? "").split("\n");
    assert.deepEqual([id, event], ["id: 1", "event: holon_event"]);
    const { version, agent_id, event: fields } = JSON.parse(data?.slice("data: ".length) ?? "");
    assert.deepEqual([version, agent_id, fields.sequence], ["1", "main", 1]);
    assert.deepEqual(
      [fields.type, fields.request_id, fields.origin, fields.timestamp],
      ["message_enqueued", "r1", "operator", "2026-01-01T00:00:00.000Z"],
    );
    assert.match(live ?? "", /^id: 2\n/);
    const mergedReader = merged.body?.pipeThrough(new TextDecoderStream()).getReader();
    let first = "";
    while (!first.includes("data: ")) first += (await mergedReader?.read())?.value ?? "";
    assert.match(
      first,
      /^(: open\n\n)?event: holon_event\ndata: .*"agent_id":"main".*"sequence":2/,
    );
    await Promise.all([reader?.cancel(), mergedReader?.cancel()]);
    assert.equal(tested.events.subscriptions, 0);
    const wrong = { headers: { "last-event-id": "x" } };
    assert.equal(
      await refusal(send("GET", "/api/agents/main/events/stream", wrong)),
      "400 bad_request",
    );
  });
});
