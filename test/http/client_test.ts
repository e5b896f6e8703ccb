import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Fault } from "../../src/fault.ts";
import type { ConnectionInfo } from "../../src/host/types.ts";
import { clientOf, isProxied } from "../../src/http/client.ts";
import { parseForwarded } from "../../src/http/forwarded.ts";

const PROXIES = ["10.0.0.0/8", "127.0.0.1", "fd00::1"];

interface Sent {
  readonly peer?: string;
  readonly host?: string | null;
  readonly transport?: "tcp" | "unix";
}

function seen(headers: Record<string, string>, sent: Sent = {}, proxies = PROXIES): string {
  const { peer = "127.0.0.1", host = "127.0.0.1:7878", transport = "tcp" } = sent;
  const info: ConnectionInfo = {
    target: "/",
    host,
    transport,
    peer: transport === "unix" ? null : { address: peer, port: 9 },
    local: null,
    ended: new Promise(() => {}),
  };
  try {
    const client = clientOf(new Request("http://x/", { headers }), info, proxies);
    const { name, port } = client.host;
    return `${client.scheme} ${name}:${port} ${client.address}`;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

const FORWARDED = {
  "x-forwarded-for": "203.0.113.9",
  "x-forwarded-host": "Lab.Example:8443",
  "x-forwarded-proto": "https",
};

describe("clientOf()", () => {
  it("believes a trusted proxy", () => {
    assert.equal(seen(FORWARDED), "https lab.example:8443 203.0.113.9");
    assert.equal(seen(FORWARDED, { peer: "10.9.9.9" }), "https lab.example:8443 203.0.113.9");
    assert.equal(seen(FORWARDED, { peer: "fd00::1" }), "https lab.example:8443 203.0.113.9");
    assert.equal(
      seen({ forwarded: 'for="[2001:db8::7]:4711";host="lab.example";proto=HTTPS;by=_x' }),
      "https lab.example:null 2001:db8::7",
    );
  });

  it("believes nobody else", () => {
    const direct = "null 127.0.0.1:7878";
    assert.equal(seen(FORWARDED, { peer: "192.168.1.7" }), `${direct} 192.168.1.7`);
    assert.equal(seen(FORWARDED, {}, []), `${direct} 127.0.0.1`);
    assert.equal(seen(FORWARDED, { transport: "unix" }), "null localhost:null null");
    const bad = { "x-forwarded-host": "a b", forwarded: ";;" };
    assert.equal(seen(bad, { peer: "192.168.1.7" }), `${direct} 192.168.1.7`);
  });

  it("keeps what the proxy doesn't say", () => {
    assert.equal(seen({}), "null 127.0.0.1:7878 127.0.0.1");
    assert.equal(seen({ "x-forwarded-proto": "https" }), "https 127.0.0.1:7878 127.0.0.1");
    assert.equal(seen({}, { host: null }), "misdirected_host");
    assert.equal(seen(FORWARDED, { host: null }), "https lab.example:8443 203.0.113.9");
  });

  it("takes the last address that is no proxy's, and not what was claimed before it", () => {
    const chain = (value: string) => seen({ "x-forwarded-for": value }).split(" ").at(-1);
    assert.equal(chain("198.51.100.1, 203.0.113.9"), "203.0.113.9");
    assert.equal(chain("198.51.100.1, 203.0.113.9, 10.1.1.1,10.2.2.2"), "203.0.113.9");
    assert.equal(chain("203.0.113.9:4711, [2001:db8::1]:80, 127.0.0.1"), "2001:db8::1");
    assert.equal(chain("10.1.1.1"), "10.1.1.1");
    assert.equal(chain("203.0.113.9, unknown"), "127.0.0.1");
    assert.equal(chain("203.0.113.9, _hidden, 10.1.1.1"), "10.1.1.1");
    assert.equal(chain(""), "127.0.0.1");
    assert.equal(chain("::ffff:203.0.113.9"), "203.0.113.9");
  });

  it("takes the word of the proxy that is connected here for host and scheme", () => {
    const headers = { "x-forwarded-host": "evil, lab.example", "x-forwarded-proto": "http,https" };
    assert.equal(seen(headers), "https lab.example:null 127.0.0.1");
    assert.equal(
      seen({ forwarded: "for=1.1.1.1;host=evil;proto=http, for=2.2.2.2;host=lab;proto=https" }),
      "https lab:null 2.2.2.2",
    );
  });

  it("refuses a proxy's headers that contradict each other or can't be read", () => {
    for (const forwarded of ["host=evil", "proto=http", "for=1.2.3.4"]) {
      assert.equal(seen({ ...FORWARDED, forwarded }), "bad_request", forwarded);
    }
    assert.equal(
      seen({ ...FORWARDED, forwarded: "for=203.0.113.9;proto=https" }),
      "https lab.example:8443 203.0.113.9",
    );
    assert.equal(
      seen({
        "x-forwarded-for": "2001:DB8::7, 10.1.1.1",
        "forwarded": 'for="[2001:db8:0::7]:80"',
      }),
      "null 127.0.0.1:7878 2001:db8::7",
    );
    for (
      const [name, value] of [
        ["x-forwarded-host", "a b"],
        ["x-forwarded-host", "lab:99999"],
        ["x-forwarded-host", "lab/x"],
        ["x-forwarded-host", "lab,"],
        ["x-forwarded-proto", "gopher"],
        ["forwarded", "for"],
        ["forwarded", 'for="x'],
      ] as const
    ) {
      assert.equal(seen({ [name]: value }), "bad_request", `${name}: ${value}`);
    }
  });
});

describe("isProxied()", () => {
  it("knows the headers that proxies add", () => {
    for (
      const name of ["Forwarded", "Via", "X-Forwarded-For", "X-Real-IP", "Tailscale-User-Login"]
    ) {
      assert.ok(isProxied(new Request("http://x/", { headers: { [name]: "x" } })), name);
    }
    assert.ok(!isProxied(new Request("http://x/", { headers: { "x-holon": "x" } })));
  });
});

describe("parseForwarded()", () => {
  it("takes lists, quotes and escapes apart", () => {
    assert.deepEqual(parseForwarded('For="a,b;\\"c" ; PROTO=https,by=x'), [
      { for: 'a,b;"c', proto: "https" },
      {},
    ]);
    assert.deepEqual(parseForwarded(""), [{}]);
    for (const bad of ["=x", "for=a b", "for;", "for=a;;", 'for="a"b', "å=1"]) {
      assert.equal(parseForwarded(bad), null, bad);
    }
  });

  it("ends quickly whatever it is given", () => {
    fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => void parseForwarded(text)));
    const start = performance.now();
    parseForwarded(`for="${"\\a".repeat(8000)}`);
    parseForwarded(" ".repeat(16_000));
    parseForwarded("a".repeat(16_000));
    assert.ok(performance.now() - start < 2000);
  });
});
