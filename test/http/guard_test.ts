import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Fault } from "../../src/fault.ts";
import type { ConnectionInfo } from "../../src/host/types.ts";
import { type Client, clientOf } from "../../src/http/client.ts";
import { type GuardPolicy, requireHost, requireSameSite } from "../../src/http/guard.ts";
import { parseHost } from "../../src/http/host_name.ts";

const POLICY: GuardPolicy = {
  allowedHosts: ["lab.tailnet.ts.net", "box.local"],
  trustedOrigins: ["https://lab.example"],
  trustedProxies: [],
};

function info(host: string | null, local = "127.0.0.1"): ConnectionInfo {
  return {
    target: "/",
    host,
    transport: "tcp",
    peer: { address: "127.0.0.1", port: 5 },
    local: { address: local, port: 7878 },
    ended: new Promise(() => {}),
  };
}

function hostResult(host: string | null, local?: string): string {
  try {
    const connection = info(host, local);
    const client = clientOf(new Request("http://x/"), connection, []);
    requireHost(client, connection, POLICY);
    return client.host.name;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

describe("requireHost()", () => {
  it("accepts loopback names when the port is any", () => {
    for (const host of ["localhost:1", "LOCALHOST", "localhost.", "127.0.0.1:7878", "[::1]:9"]) {
      assert.notEqual(hostResult(host), "misdirected_host", host);
    }
  });

  it("accepts names of the setting when they differ in case and port", () => {
    assert.equal(hostResult("Lab.Tailnet.TS.net:99"), "lab.tailnet.ts.net");
    assert.equal(hostResult("box.local"), "box.local");
  });

  it("accepts an address only when it is the connection's own", () => {
    assert.equal(hostResult("192.168.1.9:7878", "192.168.1.9"), "192.168.1.9");
    assert.equal(hostResult("192.168.1.8:7878", "192.168.1.9"), "misdirected_host");
  });

  it("refuses other names, so that DNS rebinding finds nothing", () => {
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", null]) {
      assert.equal(hostResult(host), "misdirected_host", String(host));
    }
  });
});

function site(
  method: string,
  headers: Record<string, string>,
  host = "localhost:7878",
  scheme: Client["scheme"] = null,
): boolean {
  const parsed = parseHost(host);
  assert.ok(parsed !== null);
  // Browsers forbid scripts to set these headers; a plain object stands in for the request.
  const request = { method, headers: new Headers(headers) } as Request;
  try {
    requireSameSite(request, { host: parsed, scheme }, POLICY);
    return true;
  } catch (error) {
    assert.ok(error instanceof Fault && error.code === "csrf_origin_rejected");
    return false;
  }
}

describe("requireSameSite()", () => {
  it("lets a request pass when no browser header is there", () => {
    assert.equal(site("POST", {}), true);
  });

  it("refuses cross-site requests unless they navigate to a document", () => {
    assert.equal(site("GET", { "sec-fetch-site": "cross-site" }), false);
    assert.equal(site("POST", { "sec-fetch-site": "same-site" }), false);
    const navigation = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
    assert.equal(site("GET", { "sec-fetch-site": "cross-site", ...navigation }), true);
    assert.equal(site("POST", { "sec-fetch-site": "cross-site", ...navigation }), false);
    const frame = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" };
    assert.equal(site("GET", { "sec-fetch-site": "cross-site", ...frame }), false);
  });

  it("compares host and port of the Origin with Host when there is one", () => {
    assert.equal(site("POST", { origin: "http://localhost:7878" }), true);
    assert.equal(site("POST", { origin: "https://localhost:7878" }), true);
    assert.equal(site("POST", { origin: "http://localhost:7879" }), false);
    assert.equal(site("POST", { origin: "http://127.0.0.1:7878" }), false);
    assert.equal(site("GET", { origin: "http://evil.example" }), false);
    assert.equal(site("POST", { origin: "https://box.local" }, "box.local"), true);
    assert.equal(site("POST", { origin: "https://box.local" }, "box.local:443"), true);
    assert.equal(site("POST", { origin: "http://box.local" }, "box.local:443"), false);
  });

  it("compares the scheme too when a trusted proxy has said which one it was", () => {
    const origin = "https://box.local";
    assert.equal(site("POST", { origin }, "box.local", "https"), true);
    assert.equal(site("POST", { origin }, "box.local:443", "https"), true);
    assert.equal(site("POST", { origin: "http://box.local" }, "box.local", "https"), false);
    assert.equal(site("POST", { origin }, "box.local", "http"), false);
    assert.equal(site("POST", { origin: `${origin}:8443` }, "box.local:8443", "https"), true);
  });

  it("lets origins of the setting pass", () => {
    const headers = { origin: "https://lab.example", "sec-fetch-site": "cross-site" };
    assert.equal(site("POST", headers), true);
  });

  it("refuses the null origin for unsafe methods and event streams only", () => {
    assert.equal(site("POST", { origin: "null" }), false);
    assert.equal(site("GET", { origin: "null", accept: "text/event-stream" }), false);
    assert.equal(site("GET", { origin: "null" }), true);
  });
});
