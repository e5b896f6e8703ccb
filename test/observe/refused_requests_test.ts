/** Requests that the listener answers by itself are logged and counted like all others. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { RequestRecord } from "../../src/observe/types.ts";
import { type ListeningHolon, listeningHolon } from "../support/listening_holon.ts";
import { get, rawConnect, rawRequest } from "../support/raw_http.ts";
import { until } from "../support/until.ts";

describe("a request that the listener refuses", () => {
  let records: RequestRecord[] = [];
  let holon: ListeningHolon;
  before(async () => {
    holon = await listeningHolon({
      limits: { headersTimeoutMs: 150, bodyTimeoutMs: 150 },
      log: { request: (record) => void records.push(record), dropped: 0 },
    });
    holon.write({ "card/index.html": "<p>" });
  });
  after(() => holon.close());
  beforeEach(() => void (records = []));

  /** Sends raw text and gives the status of the answer. */
  async function send(text: string): Promise<number> {
    const connection = await rawConnect({ port: holon.port });
    connection.write(text);
    const { status } = await connection.response();
    connection.close();
    return status;
  }

  async function record(): Promise<RequestRecord> {
    await until(() => records.length > 0);
    return records.shift()!;
  }

  async function counted(code: string): Promise<number> {
    const answer = await rawRequest({ port: holon.port }, get("/api/metrics"));
    await record();
    const found = new RegExp(`^holon_http_refusals_total\\{code="${code}"\\} (\\d+)$`, "m")
      .exec(answer.text());
    return Number(found?.[1] ?? 0);
  }

  const heads: [what: string, text: string, status: number, code: string][] = [
    [
      "headers that are too large",
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
    [
      "a long target",
      `GET /${"x".repeat(9000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      414,
      "uri_too_long",
    ],
    ["headers that don't end", "GET / HTTP/1.1\r\nHost: loc", 408, "request_timeout"],
    ["no sense", "GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400, "bad_request"],
    [
      "another version",
      "GET / HTTP/2.1\r\nHost: localhost\r\n\r\n",
      505,
      "unsupported_http_version",
    ],
  ];
  for (const [what, text, status, code] of heads) {
    it(`is logged and counted: ${what}`, async () => {
      const before = await counted(code);
      assert.equal(await send(text), status);
      const { requestId, client, bytes, ...rest } = await record();
      assert.deepEqual(rest, {
        method: "other",
        route: null,
        agent: null,
        app: null,
        path: null,
        status,
        code,
        durationMs: 0,
        outcome: "finished",
      });
      assert.equal(client, "127.0.0.1");
      assert.ok(bytes > 100 && requestId !== "");
      assert.equal(await counted(code), before + 1);
      const route = '{method="any",route="none",status="' + status;
      const metrics = await rawRequest({ port: holon.port }, get("/api/metrics"));
      assert.ok(metrics.text().includes(`holon_http_requests_total${route}"} `));
    });
  }

  it("is logged with what was sent when it was its body that did not come in", async () => {
    const head = "POST /apps/main/card/request HTTP/1.1\r\nHost: localhost\r\n" +
      "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    assert.equal(await send(head), 408);
    const { status, code, route, outcome } = await record();
    assert.deepEqual([status, code, outcome], [408, "request_timeout", "timed_out"]);
    assert.equal(route, "/apps/:agent/:app/request");
    assert.equal(await counted("request_timeout") >= 1, true);
    assert.deepEqual(records, [], "it has one line");
  });

  it("is logged where there is no room for its connection", async () => {
    const told: RequestRecord[] = [];
    const full = await listeningHolon({
      limits: { maxConnections: 1 },
      log: { request: (record) => void told.push(record), dropped: 0 },
    });
    try {
      const held = await rawConnect({ port: full.port });
      held.write(get("/api/events/stream"));
      await held.head();
      assert.equal((await rawRequest({ port: full.port }, "")).status, 503);
      await until(() => told.length > 0);
      assert.deepEqual(told.map(({ status, code }) => [status, code]), [
        [503, "service_unavailable"],
      ]);
      held.close();
    } finally {
      await full.close();
    }
  });
});
