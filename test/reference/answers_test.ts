import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { RuntimeControl } from "../../src/config/routes.ts";
import { createHolon, type Holon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import type { RequestRecord } from "../../src/observe/types.ts";
import type { ApiDocument, ApiResponse, JsonSchema, Operation } from "../../src/reference/types.ts";
import { type CheckOptions, schemaProblems } from "../support/json_schema.ts";
import { LAN_STATUS } from "../support/runtime_status.ts";
import { tempDirectory } from "../support/temp_home.ts";

const TOKEN = "a token that is long enough";
const AGENT = "/api/agents/main";
const APP = "/apps/main/card";
const MESSAGES = `${AGENT}/messages`;
const SOUND = { version: "1", request_type: "ping", payload: { a: [1, null] } };

const runtime: RuntimeControl = {
  status: () => LAN_STATUS,
  requestShutdown: () => {},
};

interface Call {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly anonymous?: boolean;
}

// deno-lint-ignore no-explicit-any
type Json = any;

describe("real answers, held against the OpenAPI document", () => {
  const directory = tempDirectory();
  /** Operations that gave a result. */
  const walked = new Set<string>();
  let record: RequestRecord | undefined;
  let holon: Holon;
  let document: ApiDocument;

  before(async () => {
    const home = realpathSync(directory.path);
    const apps = join(home, "agents/main/apps");
    mkdirSync(join(apps, "card"), { recursive: true });
    mkdirSync(join(apps, "torn"), { recursive: true });
    writeFileSync(join(apps, "card/index.html"), "<p>card");
    writeFileSync(join(apps, "card/big.bin"), new Uint8Array(2000));
    writeFileSync(join(apps, "torn/manifest.json"), "{");
    writeFileSync(join(home, "config.json"), '{"local_apps":{"live_reload":"on"}}', {
      mode: 0o600,
    });
    const log = { request: (next: RequestRecord) => void (record = next), dropped: 0 };
    holon = await createHolon({ host: createHost(), home, token: TOKEN, log, runtime });
    document = await (await send("GET", "/api/openapi.json")).json();
    await call("GET", "/api/openapi.json");
  });
  after(async () => {
    await holon.close();
    directory.remove();
  });

  function send(method: string, path: string, { body, headers, anonymous }: Call = {}) {
    return holon.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(anonymous ? {} : { authorization: `Bearer ${TOKEN}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  }

  const options: CheckOptions = {
    resolve: (link) => partOf<JsonSchema>(link),
    closed: true,
  };

  function partOf<T>(link: string): T {
    return link.slice(2).split("/").reduce((value: Json, key) => value[key], document) as T;
  }

  /** The operation that answered, by what the log says. */
  function operation(): { readonly name: string; readonly found: Operation } {
    const path = (record?.route ?? "").replace(/:([a-z_]+)\+?/g, "{$1}");
    const method = record?.method === "HEAD" ? "get" : record?.method.toLowerCase() ?? "";
    const found = document.paths[path]?.[method as "get"];
    assert.ok(found, `${method} ${path}`);
    return { name: `${method} ${path}`, found };
  }

  /** Sends a request and holds the answer against what the document says of its operation. */
  async function call(method: string, path: string, init: Call = {}): Promise<Json> {
    const response = await send(method, path, init);
    const { name, found } = operation();
    const what = `${name} ${response.status}`;
    const listed = found.responses[String(response.status)];
    assert.ok(listed, `${what} is in the document`);
    const expected = "$ref" in listed ? partOf<ApiResponse>(listed.$ref) : listed;
    assert.ok(response.headers.has("x-request-id"), what);
    if (response.status < 400) walked.add(name);
    const types = Object.keys(expected.content ?? {});
    if (types.length === 0 || method === "HEAD") {
      assert.equal(response.body, null, what);
      return null;
    }
    const type = response.headers.get("content-type") ?? "";
    assert.ok(types[0] === "*/*" || types[0] === type, `${what}: ${type}`);
    if (types[0] === "text/event-stream") return await firstEvent(response, expected, what);
    if (types[0] !== "application/json") return await response.text();
    const json = await response.json();
    const schema = expected.content?.["application/json"]?.schema ?? {};
    assert.deepEqual(schemaProblems(json, schema, options), [], what);
    if (response.status >= 400) {
      assert.ok(expected["x-codes"]?.includes(json.code), `${what} ${json.code}`);
    }
    for (const header of ["Retry-After", "WWW-Authenticate"]) {
      assert.equal(response.headers.has(header), header in (expected.headers ?? {}), what);
    }
    return json;
  }

  /** The data of the first event of a stream that replays something. */
  async function firstEvent(response: Response, expected: ApiResponse, what: string) {
    const reader = response.body!.pipeThrough(new TextDecoderStream() as Json).getReader();
    let text = "";
    while (!/^data: .*\n\n/m.test(text)) text += (await reader.read()).value;
    await reader.cancel();
    const data = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "");
    const schema = expected.content?.["text/event-stream"]?.["x-event-data"] ?? {};
    assert.deepEqual(schemaProblems(data, schema, options), [], what);
    return data;
  }

  const codeOf = async (method: string, path: string, init: Call = {}) =>
    (await call(method, path, init)).code;

  it("fit for apps and what their pages call", async () => {
    await call("GET", "/apps/main");
    await call("GET", "/apps/main/card");
    await call("GET", `${APP}/`);
    await call("HEAD", `${APP}/`);
    const { headers } = await send("GET", `${APP}/big.bin`);
    const tag = headers.get("etag")?.replace(/^W\//, "") ?? "";
    await call("GET", `${APP}/big.bin`, { headers: { range: "bytes=0-9" } });
    await call("GET", `${APP}/big.bin`, { headers: { range: "bytes=5000-" } });
    await call("GET", `${APP}/big.bin`, { headers: { "if-none-match": tag } });
    await call("GET", `${APP}/holon.js`);
    await call("GET", `${APP}/context`);
    await call("POST", `${APP}/request`, { body: SOUND });
    await call("GET", `${APP}/events`, { headers: { "last-event-id": "0" } });
  });

  it("fit for refusals of apps", async () => {
    assert.equal(await codeOf("GET", "/apps/main/none/"), "not_found");
    assert.equal(await codeOf("GET", "/apps/main/torn/"), "invalid_app_manifest");
    assert.equal(await codeOf("GET", `${APP}/.secret`), "forbidden");
    assert.equal(await codeOf("GET", `${APP}/none.js`), "not_found");
    assert.equal(await codeOf("GET", "/apps/a%20b/"), "bad_request");
    assert.equal(await codeOf("GET", `${APP}/`, { anonymous: true }), "auth_required");
    const match = { "if-match": '"another"' };
    assert.equal(await codeOf("GET", `${APP}/big.bin`, { headers: match }), "precondition_failed");
    const post = (body: unknown, headers = {}) =>
      codeOf("POST", `${APP}/request`, { body, headers });
    assert.equal(await post("{"), "invalid_json");
    assert.equal(await post({ ...SOUND, extra: 1 }), "invalid_json");
    assert.equal(await post({ ...SOUND, version: "2" }), "bad_request");
    assert.equal(await post({ ...SOUND, payload: "x".repeat(2 ** 20) }), "request_body_rejected");
    assert.equal(await post(SOUND, { "content-type": "text/plain" }), "missing_json_content_type");
    assert.equal(await post(SOUND, { traceparent: "00" }), "bad_request");
    const key = { "idempotency-key": "k" };
    await call("POST", `${APP}/request`, { body: SOUND, headers: key });
    assert.equal(await post({ ...SOUND, payload: 1 }, key), "idempotency_conflict");
    assert.equal(
      await codeOf("GET", `${APP}/events`, { headers: { "last-event-id": "x" } }),
      "bad_request",
    );
  });

  it("fit for agents and their messages", async () => {
    await call("GET", "/api/agents");
    assert.equal((await call("POST", "/api/agents", { body: { id: "main" } })).created, false);
    assert.equal(await codeOf("POST", "/api/agents", { body: { id: ".main" } }), "forbidden");
    await call("GET", AGENT);
    await call("GET", `${AGENT}/state`);
    await call("GET", `${AGENT}/apps`);
    await call("POST", MESSAGES, {
      body: { text: "hello" },
      headers: { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" },
    });
    await call("GET", `${MESSAGES}?limit=1`);
    await call("GET", `${AGENT}/events/stream`, { headers: { "last-event-id": "0" } });
    const { messages } = await call("POST", `${MESSAGES}/claim`, { body: { limit: 3 } });
    assert.equal(messages.length, 3);
    const [first, second, third] = messages;
    const at = (message: Json, action: string) => `${MESSAGES}/${message.id}/${action}`;
    const lease_id = first.lease_id;
    await call("POST", at(first, "extend"), { body: { lease_id, lease_s: 30 } });
    await call("POST", at(first, "ack"), { body: { lease_id, output: { done: true } } });
    await call("POST", at(second, "fail"), { body: { lease_id: second.lease_id, error: "No." } });
    await call("POST", at(third, "cancel"));
    for (const { id } of messages) await call("GET", `${MESSAGES}/${id}`);
    await call("POST", at(third, "retry"));

    assert.equal(await codeOf("POST", at(first, "cancel")), "message_settled");
    assert.equal(await codeOf("POST", at(first, "retry")), "message_not_failed");
    assert.equal(await codeOf("POST", at(second, "ack"), { body: { lease_id } }), "lease_lost");
    assert.equal(await codeOf("GET", `${MESSAGES}/none`), "not_found");
    assert.equal(await codeOf("GET", `${MESSAGES}?limit=x`), "bad_request");
    assert.equal(await codeOf("GET", "/api/agents/none/state"), "not_found");
    assert.equal(await codeOf("GET", "/api/agents", { anonymous: true }), "auth_required");
  });

  it("fit for live reload", async () => {
    assert.equal((await call("GET", "/api/reload?apps=main/card")).app, "main/card");
    assert.equal(await codeOf("GET", "/api/reload?apps=main/card/x"), "bad_request");
  });

  it("fit for an event of all agents", async () => {
    const response = await send("GET", "/api/events/stream");
    const { name, found } = operation();
    const event = firstEvent(response, found.responses["200"] as ApiResponse, name);
    await send("POST", MESSAGES, { body: { text: "hello" } });
    assert.equal((await event).agent_id, "main");
    walked.add(name);
  });

  it("fit for signing in and out", async () => {
    const exchange = "/api/auth/session/exchange";
    await call("GET", "/api/auth/method", { anonymous: true });
    await call("POST", exchange, { body: { credential: TOKEN }, anonymous: true });
    await call("GET", "/api/auth/session/me");
    const wrong = { body: { credential: "wrong" }, anonymous: true };
    assert.equal(await codeOf("POST", exchange, wrong), "auth_required");
    assert.equal(await codeOf("POST", "/api/auth/session/logout"), "auth_required");
    const session = await send("POST", exchange, { body: { credential: TOKEN } });
    const [, credential] = /=([0-9a-f]{64})/.exec(session.headers.get("set-cookie") ?? "") ?? [];
    const headers = { authorization: `Bearer ${credential}` };
    await call("POST", "/api/auth/session/logout", { headers, anonymous: true });
  });

  it("fit for sessions and tokens", async () => {
    const tokens = "/api/auth/tokens";
    const body = { name: "ci", scope: "app", expires_in_s: 60 };
    const { credential, token } = await call("POST", tokens, { body });
    assert.equal(token.state, "live");
    assert.equal(await codeOf("POST", tokens, { body }), "token_exists");
    assert.equal(await codeOf("POST", tokens, { body: { name: ".x" } }), "invalid_json");
    await call("GET", tokens);
    const headers = { authorization: `Bearer ${credential}` };
    assert.equal(await codeOf("GET", tokens, { headers }), "forbidden");
    await send("POST", "/api/auth/session/exchange", { body: { credential } });
    const { sessions } = await call("GET", "/api/auth/sessions");
    const made = sessions.find((session: Json) => session.token === "ci");
    assert.equal(made.scope, "app");
    await call("DELETE", `/api/auth/sessions/${made.id}`);
    assert.equal(await codeOf("DELETE", `/api/auth/sessions/${made.id}`), "not_found");
    await call("POST", `${tokens}/ci/rotate`, { body: {} });
    assert.equal(await codeOf("POST", `${tokens}/none/rotate`, { body: {} }), "not_found");
    await call("DELETE", `${tokens}/ci`);
    assert.equal(await codeOf("DELETE", `${tokens}/ci`), "not_found");
    assert.ok((await call("DELETE", "/api/auth/sessions")).ended > 0);
  });

  it("fit for pairing", async () => {
    const pairing = "/api/auth/pairing";
    await call("GET", pairing);
    const { id, url } = await call("POST", `${pairing}/issue`, { body: { scope: "read" } });
    await call("GET", `${pairing}/${id}`);
    const redeem = () => ({ body: { ticket: url.split("#")[1] }, anonymous: true });
    await call("POST", `${pairing}/redeem`, redeem());
    assert.equal((await call("GET", `${pairing}/${id}`)).state, "used");
    assert.equal(await codeOf("POST", `${pairing}/redeem`, redeem()), "auth_required");
    await call("DELETE", `${pairing}/${id}`);
    assert.equal(await codeOf("GET", `${pairing}/none`), "not_found");
    assert.equal(
      await codeOf("POST", `${pairing}/issue`, { body: { scope: "all" } }),
      "invalid_json",
    );
    for (let i = 0; i < 128; i++) await send("POST", `${pairing}/issue`, { body: {} });
    assert.equal(await codeOf("POST", `${pairing}/issue`, { body: {} }), "too_many_tickets");
  });

  it("fit for who tries too often", async () => {
    const wrong = { headers: { authorization: "Bearer wrong" }, anonymous: true };
    const codes = new Set<string>();
    for (let i = 0; i < 25; i++) codes.add(await codeOf("GET", "/api/agents", wrong));
    assert.deepEqual([...codes], ["auth_required", "too_many_attempts"]);
    const exchange = { body: { credential: "wrong" }, anonymous: true };
    const code = await codeOf("POST", "/api/auth/session/exchange", exchange);
    assert.equal(code, "too_many_attempts");
    await call("POST", "/api/auth/session/exchange", { body: { credential: TOKEN } });
  });

  it("fit for settings and the server's life", async () => {
    const config = "/api/control/runtime/config";
    await call("GET", config);
    const updates = [{ key: "local_apps.max_asset_bytes", value: 1000 }];
    const { changed } = await call("PATCH", config, { body: { updates } });
    assert.equal(changed, true);
    assert.equal(await codeOf("GET", `${APP}/big.bin`), "app_asset_too_large");
    await call("PATCH", config, { body: { updates: [{ key: "no.such", unset: true }] } });
    assert.equal(await codeOf("PATCH", config, { body: { updates: 1 } }), "invalid_json");
    for (const what of ["status", "readiness"]) await call("GET", `/api/control/runtime/${what}`);
    await call("POST", "/api/control/runtime/shutdown");
    assert.match(await call("GET", "/api/metrics"), /^holon_agents 1$/m);
    for (const path of ["/api/handshake", "/handshake"]) {
      assert.equal((await call("GET", path)).protocol.name, "holon-control");
      await call("GET", path, { anonymous: true });
    }
  });

  it("fit for pages and their parts", async () => {
    for (const path of ["/", "/sign-in", "/pair", "/api/docs"]) {
      const page = await call("GET", path);
      for (const [, part = ""] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
        await call("GET", part);
      }
    }
    await call("GET", "/favicon.ico");
    assert.equal(await codeOf("GET", "/-/none.js"), "not_found");
    assert.equal(await codeOf("GET", "/-/none.js", { anonymous: true }), "auth_required");
  });

  it("were asked of every operation there is", () => {
    const all = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`)
    );
    assert.deepEqual(all.filter((name) => !walked.has(name)), []);
  });
});
