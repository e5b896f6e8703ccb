import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { configRoutes, type RuntimeControl } from "../../src/config/routes.ts";
import { type ConfigService, createConfigService } from "../../src/config/service.ts";
import { Fault } from "../../src/fault.ts";
import type { RouteScope } from "../../src/http/route.ts";
import { createRouter } from "../../src/http/router.ts";
import { parseTarget } from "../../src/http/target.ts";
import { plainFiles } from "../support/fake_host.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { LOCAL_CLIENT } from "../support/local_client.ts";
import { LAN_STATUS } from "../support/runtime_status.ts";

let home: TempDirectory;
let config: ConfigService;
let shutdowns: number;
beforeEach(async () => {
  home = tempDirectory();
  config = await createConfigService({ files: plainFiles(), home: home.path });
  shutdowns = 0;
});
afterEach(() => home.remove());

const ROUTE = "/api/control/runtime/config";

const runtime: RuntimeControl = {
  status: () => ({
    ...LAN_STATUS,
    home_dir: home.path,
    socket_path: join(home.path, "run/holon.sock"),
  }),
  requestShutdown: () => void (shutdowns += 1),
};

async function call(
  method: string,
  path: string,
  body?: unknown,
  scope: RouteScope = "control",
  // deno-lint-ignore no-explicit-any
): Promise<any> {
  const dispatch = createRouter(configRoutes({ config, runtime }));
  const response = await dispatch({
    request: new Request("http://holon/", {
      method,
      ...(body === undefined ? {} : {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      }),
    }),
    info: null,
    client: LOCAL_CLIENT,
    target: parseTarget(path),
    principal: { kind: "token", scopes: new Set<RouteScope>(["public", scope]), sessionId: null },
    requestId: "r",
  });
  assert.equal(response.status, 200);
  return await response.json();
}

async function faultOf(work: Promise<unknown>): Promise<Fault> {
  try {
    await work;
  } catch (error) {
    assert.ok(error instanceof Fault);
    return error;
  }
  throw new Error("Nothing was refused");
}

describe("GET config", () => {
  it("has the contract's members, and every key with its sentence", async () => {
    const body = await call("GET", ROUTE);
    assert.equal(body.ok, true);
    assert.equal(body.config_file_path, join(home.path, "config.json"));
    assert.equal(body.reload.state, "idle");
    assert.equal(body.runtime_surface.config.local_apps.max_asset_bytes, 67_108_864);
    const key = body.runtime_surface.keys[0];
    assert.equal(key.key, "local_apps.max_asset_bytes");
    assert.equal(key.source, "default");
    assert.equal(key.applies, "live");
    assert.ok(key.description.length > 0);
  });

  it("shows a hand edit as stored, not as in effect, and an unsound file as a problem", async () => {
    writeFileSync(config.path, '{"local_apps":{"max_asset_bytes":5}}');
    const [key] = (await call("GET", ROUTE)).runtime_surface.keys;
    assert.equal(key.value, 67_108_864);
    assert.equal(key.stored, 5);
    writeFileSync(config.path, "{");
    const { runtime_surface } = await call("GET", ROUTE);
    assert.match(runtime_surface.config_file_problem, /not valid JSON/);
    assert.equal("stored" in runtime_surface.keys[0], false);
  });

  it("is for the control scope only", async () => {
    for (const path of [ROUTE, "/api/control/runtime/status", "/api/control/runtime/readiness"]) {
      assert.equal((await faultOf(call("GET", path, undefined, "read"))).code, "forbidden");
    }
  });
});

describe("PATCH config", () => {
  it("answers 200 with the effect and the settings that are in effect now", async () => {
    const body = await call("PATCH", ROUTE, {
      updates: [{ key: "local_apps.max_asset_bytes", value: 9 }],
    });
    assert.equal(body.changed, true);
    assert.equal(body.results[0].effect, "accepted_reload_scheduled");
    assert.equal(body.runtime_surface.config.local_apps.max_asset_bytes, 9);
    assert.equal(body.reload.completed_generation, 1);
    const reset = await call("PATCH", ROUTE, {
      updates: [{ key: "local_apps.max_asset_bytes", unset: true }],
    });
    assert.equal(reset.runtime_surface.config.local_apps.max_asset_bytes, 67_108_864);
  });

  it("answers 200 also when it refuses", async () => {
    const body = await call("PATCH", ROUTE, {
      updates: [{ key: "local_apps.csp", value: "x" }, { key: "no.such", value: 1 }],
    });
    assert.equal(body.ok, true);
    assert.equal(body.changed, false);
    assert.deepEqual(body.results.map(({ effect }: { effect: string }) => effect), [
      "rejected",
      "rejected",
    ]);
    assert.equal(config.current().settings.local_apps.csp, null);
  });

  it("keeps null apart from no value", async () => {
    const set = await call("PATCH", ROUTE, { updates: [{ key: "local_apps.csp", value: null }] });
    assert.equal(set.results[0].effect, "accepted_reload_scheduled");
    assert.ok(config.current().explicit.has("local_apps.csp"));
    const none = await call("PATCH", ROUTE, { updates: [{ key: "local_apps.csp" }] });
    assert.equal(none.results[0].effect, "rejected");
  });

  it("refuses unknown fields and wrong shapes", async () => {
    const bad = [
      {},
      [],
      { updates: {} },
      { updates: [], extra: 1 },
      { updates: [{ key: "local_apps.csp", value: "x", force: true }] },
      { updates: [{ key: 1 }] },
    ];
    for (const body of bad) {
      const fault = await faultOf(call("PATCH", ROUTE, body));
      assert.equal(fault.status, 422, JSON.stringify(body));
    }
  });

  it("does not wait for a reload that takes long", async () => {
    let open = () => {};
    config.subscribe(() => new Promise<void>((resolve) => open = resolve));
    const body = await call("PATCH", ROUTE, { updates: [{ key: "agents.default", value: "lab" }] });
    assert.equal(body.reload.state, "applying");
    open();
    await config.settled();
    assert.equal((await call("GET", ROUTE)).reload.state, "completed");
  });
});

describe("the life of the server", () => {
  it("is told and ended", async () => {
    const status = await call("GET", "/api/control/runtime/status");
    assert.equal(status.pid, 7);
    assert.ok("runtime_surface" in status);
    const readiness = await call("GET", "/api/control/runtime/readiness");
    assert.equal("runtime_surface" in readiness, false);
    const ended = await call("POST", "/api/control/runtime/shutdown");
    assert.deepEqual(ended, { ok: true, pid: 7, home_dir: home.path, shutdown_requested: true });
    assert.equal(shutdowns, 1);
  });

  it("is unknown where Holon is embedded", async () => {
    const dispatch = createRouter(configRoutes({ config, runtime: null }));
    const fault = await faultOf(dispatch({
      request: new Request("http://holon/"),
      info: null,
      client: LOCAL_CLIENT,
      target: parseTarget("/api/control/runtime/status"),
      principal: { kind: "token", scopes: new Set<RouteScope>(["control"]), sessionId: null },
      requestId: "r",
    }));
    assert.equal(fault.code, "service_unavailable");
  });
});
