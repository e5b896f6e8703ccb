import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { createHolon, type Holon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import type { Listener } from "../../src/host/types.ts";
import type { RequestRecord } from "../../src/observe/types.ts";
import { tempDirectory } from "../support/temp_home.ts";
import { until } from "../support/until.ts";

const BIG = 8 * 1024 * 1024;

describe("a Holon that is observed", () => {
  const directory = tempDirectory();
  const home = realpathSync(directory.path);
  let records: RequestRecord[] = [];
  let holon: Holon;
  let listener: Listener;
  let url = "";
  let port = 0;

  before(async () => {
    const app = join(home, "agents/main/apps/card");
    mkdirSync(app, { recursive: true });
    writeFileSync(join(app, "index.html"), "<p>card");
    writeFileSync(join(app, "big.bin"), new Uint8Array(BIG));
    const host = createHost();
    holon = await createHolon({
      host,
      home,
      token: null,
      log: { request: (record) => void records.push(record), dropped: 7 },
      connections: () => listener.connections,
    });
    listener = await host.listen({
      address: { transport: "tcp", host: "127.0.0.1", port: 0 },
      fetch: holon.fetch,
    });
    assert.ok(listener.address.transport === "tcp");
    port = listener.address.port;
    url = `http://127.0.0.1:${port}`;
  });
  beforeEach(() => void (records = []));
  after(async () => {
    await Promise.all([listener.close(0), holon.close()]);
    directory.remove();
  });

  const get = async (path: string, init?: RequestInit) => {
    const response = await fetch(url + path, init);
    return { response, text: await response.text() };
  };

  async function nextRecord(): Promise<RequestRecord> {
    await until(() => records.length > 0);
    return records.shift()!;
  }

  /** The value of a sample by the beginning of its line. */
  async function figure(sample: string): Promise<number> {
    const { text } = await get("/api/metrics");
    const line = text.split("\n").find((candidate) => candidate.startsWith(`${sample} `));
    return line === undefined ? NaN : Number(line.slice(sample.length + 1));
  }

  it("tells of each request by its route, of the file that was refused, and of no query", async () => {
    const { response } = await get("/apps/main/card/gone.js?token=s3cret");
    const { requestId, durationMs, bytes, ...record } = await nextRecord();
    assert.deepEqual(record, {
      client: "127.0.0.1",
      method: "GET",
      route: "/apps/:agent/:app/:path+",
      agent: "main",
      app: "card",
      path: "gone.js",
      status: 404,
      code: "not_found",
      outcome: "finished",
    });
    assert.equal(response.headers.get("x-request-id"), requestId);
    assert.ok(durationMs > 0 && durationMs < 60_000, String(durationMs));
    assert.ok(bytes > 100 && bytes < 2000, String(bytes));
  });

  it("tells of requests that no route takes, and keeps nothing that a client made up", async () => {
    await get("/nothing/at/all");
    const none = await nextRecord();
    assert.deepEqual([none.route, none.agent, none.app, none.path, none.code], [
      null,
      null,
      null,
      null,
      "not_found",
    ]);
    await get("/apps/main/card/index.html?q=1");
    assert.equal((await nextRecord()).path, null, "a file that was sent");
    await get("/apps/a%20b%22/c", { method: "PURGE" });
    const odd = await nextRecord();
    assert.deepEqual([odd.method, odd.agent, odd.code], ["other", null, "method_not_allowed"]);
    await get("/apps/a%20b%22/c");
    const named = await nextRecord();
    assert.deepEqual([named.agent, named.app, named.code], [null, "c", "bad_request"]);
  });

  it("counts the bytes of a file, and tells of a client that goes away", async () => {
    const { text } = await get("/apps/main/card/big.bin", { headers: { range: "bytes=0-999999" } });
    assert.equal(text.length, 1_000_000);
    const whole = await nextRecord();
    assert.equal(whole.status, 206);
    assert.ok(whole.bytes > 1_000_000 && whole.bytes < 1_001_000, String(whole.bytes));

    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET /apps/main/card/big.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");
    socket.once("data", () => socket.destroy());
    const cut = await nextRecord();
    assert.deepEqual([cut.status, cut.outcome], [200, "client_gone"]);
    assert.ok(cut.bytes < BIG, String(cut.bytes));
  });

  it("tells of a call without a listener at once", async () => {
    const response = await holon.fetch(new Request("http://localhost/sign-in"));
    const record = await nextRecord();
    assert.equal(record.outcome, null);
    assert.equal(record.bytes, (await response.arrayBuffer()).byteLength);
  });

  it("counts requests, refusals, bytes and times by route", async () => {
    const labels = '{method="GET",route="/apps/:agent/:app"';
    const count = () => figure(`holon_http_requests_total${labels},status="200"}`);
    const before = await count() || 0;
    const time = "holon_http_request_duration_seconds";
    const timed = await figure(`${time}_count${labels}}`);
    for (let round = 0; round < 3; round++) await get("/apps/main/card/");
    assert.equal(await count(), before + 3);
    assert.equal(await figure(`${time}_count${labels}}`), timed + 3);
    assert.equal(await figure(`${time}_bucket${labels},le="+Inf"}`), timed + 3);
    assert.ok(await figure(`holon_http_response_bytes_total${labels}}`) > 100);
    const refused = await figure('holon_http_refusals_total{code="not_found"}');
    await get("/apps/main/absent/");
    assert.equal(await figure('holon_http_refusals_total{code="not_found"}'), refused + 1);
  });

  it("shows what is going on at the moment", async () => {
    assert.equal(await figure("holon_asset_permits"), 16);
    assert.equal(await figure("holon_asset_permits_in_use"), 0);
    assert.ok(await figure("holon_connections") >= 1);
    assert.equal(await figure("holon_log_dropped_total"), 7);
    assert.ok(await figure("process_resident_memory_bytes") > 4 * 1024 * 1024);
    assert.ok(await figure("holon_uptime_seconds") > 0);

    const reload = new AbortController();
    const changes = await fetch(`${url}/api/reload?apps=main/card`, { signal: reload.signal });
    assert.equal(await figure("holon_live_reload_apps"), 1);
    await until(async () => await figure("holon_live_reload_folders") === 1);
    reload.abort();
    await changes.body?.cancel().catch(() => {});

    const gone = new AbortController();
    const stream = await fetch(`${url}/apps/main/card/events`, { signal: gone.signal });
    assert.equal(await figure("holon_event_streams"), 1);
    gone.abort();
    await stream.body?.cancel().catch(() => {});
    await until(async () => await figure("holon_event_streams") === 0);
    const route = '{method="GET",route="/apps/:agent/:app/events"';
    assert.equal(await figure(`holon_http_requests_total${route},status="200"}`), 1);
    assert.ok(Number.isNaN(await figure(`holon_http_request_duration_seconds_count${route}}`)));

    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET /apps/main/card/big.bin HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    socket.pause();
    await until(async () => await figure("holon_asset_permits_in_use") === 1);
    assert.equal(await figure("holon_http_responses_in_progress"), 1);
    socket.destroy();
    await until(async () => await figure("holon_asset_permits_in_use") === 0);
    assert.ok(await figure('holon_messages{agent="main",status="queued"}') === 0);
  });

  it("shows the queue of an agent, and how long its oldest message has waited", async () => {
    const waiting = 'holon_message_oldest_waiting_seconds{agent="main"}';
    assert.equal(await figure(waiting), 0);
    await get("/api/agents/main/messages", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "hello" }),
    });
    assert.equal(await figure('holon_messages{agent="main",status="queued"}'), 1);
    assert.equal(await figure('holon_events_total{agent="main"}'), 1);
    await until(async () => await figure(waiting) > 0);
  });

  it("gives samples of their own to a hundred agents, and one to the others", async () => {
    for (let index = 0; index < 120; index++) {
      mkdirSync(join(home, `agents/many-${String(index).padStart(3, "0")}`), { recursive: true });
    }
    const { text } = await get("/api/metrics");
    const agents = new Set(
      [...text.matchAll(/^holon_messages\{agent="([^"]+)"/gm)].map(([, id]) => id),
    );
    assert.equal(agents.size, 101);
    assert.ok(agents.has("(others)"));
    assert.match(text, /^holon_agents 121$/m);
  });
});
