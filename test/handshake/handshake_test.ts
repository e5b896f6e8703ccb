import assert from "node:assert/strict";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { RuntimeControl } from "../../src/config/routes.ts";
import { capabilitiesOf } from "../../src/handshake/capabilities.ts";
import { withHandshake } from "../../src/handshake/routes.ts";
import { createHolon, type Holon } from "../../src/holon.ts";
import { createHost } from "../../src/host/current.ts";
import type { ConnectionInfo } from "../../src/host/types.ts";
import type { RouteScope } from "../../src/http/route.ts";
import { createRouter } from "../../src/http/router.ts";
import { parseTarget } from "../../src/http/target.ts";
import { VERSION } from "../../src/version.ts";
import { LOCAL_CLIENT } from "../support/local_client.ts";
import { LAN_STATUS } from "../support/runtime_status.ts";
import { tempDirectory } from "../support/temp_home.ts";

const TOKEN = "a token that is long enough";

// deno-lint-ignore no-explicit-any
type Json = any;

describe("the handshake", () => {
  const directory = tempDirectory();
  const home = realpathSync(directory.path);
  let holon: Holon;

  before(async () => {
    mkdirSync(join(home, "agents/main"), { recursive: true });
    const runtime: RuntimeControl = { status: () => LAN_STATUS, requestShutdown: () => {} };
    holon = await createHolon({ host: createHost(), home, token: TOKEN, runtime });
  });
  after(async () => {
    await holon.close();
    directory.remove();
  });

  function send(path: string, headers: Record<string, string>, info?: ConnectionInfo) {
    return holon.fetch(new Request(`http://localhost${path}`, { headers }), info);
  }

  it("names protocol, version, credential, capabilities and where the server is", async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const body: Json = await (await send("/api/handshake", headers)).json();
    const { capabilities, ...rest } = body;
    assert.deepEqual(rest, {
      ok: true,
      protocol: { name: "holon-control", version: 1 },
      version: VERSION,
      auth: { mode: "bearer", required: true },
      runtime: {
        default_agent: "main",
        workspace_dir: join(home, "agents/main"),
        home_dir: home,
        access: "lan",
        listen: "192.168.1.10:7878",
        advertise_url: "http://192.168.1.10:7878",
        callback_base_url: "http://127.0.0.1:7878",
      },
    });
    for (
      const name of ["agents.list", "agents.events", "messages.send", "auth.tokens", "tui.remote"]
    ) {
      assert.ok(capabilities.includes(name), name);
    }
    for (const name of ["transcript", "brief", "task", "timer"]) {
      assert.ok(!capabilities.some((it: string) => it.includes(name)), name);
    }
    assert.deepEqual(await (await send("/handshake", headers)).json(), body);
  });

  it("is for those who have a credential", async () => {
    for (const path of ["/api/handshake", "/handshake"]) {
      for (const headers of [{}, { authorization: "Bearer wrong" }]) {
        const response = await send(path, headers as Record<string, string>);
        assert.equal(response.status, 401);
        assert.match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
        const text = await response.text();
        assert.ok(!text.includes("holon-control") && !text.includes(home));
      }
    }
  });

  it("asks for nothing over the socket", async () => {
    const body: Json = await (await send("/handshake", {}, {
      target: "/handshake",
      host: "localhost",
      transport: "unix",
      peer: null,
      local: null,
      ended: new Promise(() => {}),
    })).json();
    assert.deepEqual(body.auth, { mode: "local", required: false });
  });

  it("shows directories to the scope control only", async () => {
    const dispatch = createRouter(withHandshake([], {
      home,
      tokenRequired: true,
      defaultAgent: () => "main",
      reach: () => null,
    }));
    const ask = async (...scopes: RouteScope[]): Promise<Json> => {
      const response = await dispatch({
        request: new Request("http://holon/"),
        info: null,
        client: LOCAL_CLIENT,
        target: parseTarget("/api/handshake"),
        principal: { kind: "token", scopes: new Set(scopes), sessionId: null },
        requestId: "r",
      });
      return await response.json();
    };
    const shown = (await ask("read", "control")).runtime;
    assert.equal(shown.home_dir, home);
    assert.deepEqual((await ask("read", "app")).runtime, {
      ...shown,
      home_dir: null,
      workspace_dir: null,
    });
    assert.equal(shown.listen, null);
  });
});

describe("capabilitiesOf()", () => {
  it("names what has all its routes", () => {
    assert.deepEqual(capabilitiesOf([]), []);
    const config = "/api/control/runtime/config";
    assert.deepEqual(capabilitiesOf([{ method: "GET", path: config }]), []);
    assert.deepEqual(
      capabilitiesOf([
        { method: "PATCH", path: config },
        { method: "GET", path: config },
        { method: "GET", path: "/api/agents" },
      ]),
      ["agents.list", "runtime.config"],
    );
  });
});
