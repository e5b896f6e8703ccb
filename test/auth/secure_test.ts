import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sessionCookie } from "../../src/auth/cookie.ts";
import { isSecure } from "../../src/auth/secure.ts";
import { parseHost } from "../../src/http/host_name.ts";

describe("isSecure()", () => {
  const cases: readonly [string, "http" | "https" | null, string | null, boolean][] = [
    ["lab.example", "https", null, true],
    ["lab.example", "http", "https://lab.example", false],
    ["lab.example", null, "https://lab.example", true],
    ["lab.example:443", null, "https://lab.example/", true],
    ["lab.example:8443", null, "https://lab.example:8443", true],
    ["lab.example:8443", null, "https://lab.example", false],
    ["lab.example", null, "http://lab.example", false],
    ["127.0.0.1:7878", null, "https://lab.example", false],
    ["127.0.0.1:7878", null, null, false],
  ];
  for (const [host, scheme, advertised, secure] of cases) {
    it(`is ${secure} at ${host} by ${scheme}, advertised ${advertised}`, () => {
      const client = { host: parseHost(host)!, scheme, address: "127.0.0.1" };
      assert.equal(isSecure(client, advertised), secure);
    });
  }

  it("makes the cookie one that goes over TLS only", () => {
    const host = { name: "lab.example", port: null };
    assert.match(sessionCookie(host, "x", true), /; HttpOnly; SameSite=Lax; Secure$/);
    assert.match(sessionCookie(host, null, true), /; Secure; Max-Age=0$/);
    assert.doesNotMatch(sessionCookie(host, "x", false), /Secure/);
  });
});
