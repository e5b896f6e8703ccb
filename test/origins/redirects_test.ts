import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBounces } from "../../src/origins/bounces.ts";
import {
  isTopNavigation,
  redirectTo,
  takeTicket,
  withTicket,
} from "../../src/origins/redirects.ts";
import { domainFor, isOn, splitAppHost } from "../../src/origins/rule.ts";
import { fakeClock } from "../support/fake_host.ts";

describe("redirectTo()", () => {
  it("leads to the host that it is given, whatever the path", () => {
    for (const rawPath of ["/", "//evil.example/", "/\\evil.example", "/@evil.example", "/a%2fb"]) {
      const { headers } = redirectTo(307, { name: "localhost", port: 7878 }, {
        rawPath,
        rawQuery: "to=//evil.example",
      });
      const url = new URL(headers.get("location") ?? "", "http://x.localhost:1/");
      assert.equal(url.host, "localhost:7878");
      assert.equal(url.protocol, "http:");
      assert.equal(url.search, "?to=//evil.example");
    }
  });
});

describe("takeTicket()", () => {
  it("undoes withTicket()", () => {
    for (const query of ["", "a=1", "a=1&b", "&", "x=%26&&y"]) {
      assert.deepEqual(takeTicket(withTicket(query, "t.t.t")), { ticket: "t.t.t", rest: query });
      assert.deepEqual(takeTicket(query), { ticket: null, rest: query });
    }
  });

  it("takes the last one, and leaves none", () => {
    assert.deepEqual(takeTicket("holon_ticket=1&a&holon_ticket=2"), { ticket: "2", rest: "a" });
  });
});

describe("isTopNavigation()", () => {
  const asks = (headers: Record<string, string>, method = "GET") =>
    isTopNavigation(new Request("http://localhost/", { method, headers }));
  const html = { accept: "text/html,*/*" };

  it("tells windows from frames, scripts and workers", () => {
    const navigation = { ...html, "sec-fetch-mode": "navigate" };
    assert.ok(asks({ ...navigation, "sec-fetch-dest": "document" }));
    assert.ok(asks(html));
    assert.ok(!asks({ ...navigation, "sec-fetch-dest": "iframe" }));
    assert.ok(!asks({ ...navigation, "sec-fetch-dest": "object" }));
    assert.ok(!asks({ ...html, "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" }));
    assert.ok(!asks({}));
    assert.ok(!asks(html, "POST"));
  });
});

describe("the rule", () => {
  const rule = { apps: ["main/card"], domain: "apps.example.net" };

  it("says which apps have an origin", () => {
    const card = { agentId: "main", appId: "card" };
    assert.ok(isOn(rule, card));
    assert.ok(!isOn(rule, { ...card, agentId: "other" }));
    assert.ok(isOn({ ...rule, apps: ["all"] }, { ...card, agentId: "other" }));
    assert.ok(!isOn({ ...rule, apps: [] }, card));
  });

  it("gives this machine and others their domains", () => {
    assert.equal(domainFor({ name: "127.0.0.1", port: 1 }, rule), "localhost");
    assert.equal(domainFor({ name: "192.168.0.9", port: 1 }, rule), "apps.example.net");
    assert.equal(domainFor({ name: "192.168.0.9", port: 1 }, { ...rule, domain: null }), null);
  });

  it("takes one label off a domain", () => {
    assert.deepEqual(splitAppHost("a-1.localhost", rule), { label: "a-1", domain: "localhost" });
    assert.deepEqual(splitAppHost("a-1.apps.example.net", rule)?.domain, "apps.example.net");
    for (const name of ["localhost", "apps.example.net", "a.b.localhost", "a.example.net"]) {
      assert.equal(splitAppHost(name, rule), null);
    }
    assert.equal(splitAppHost("a-1.apps.example.net", { ...rule, domain: null }), null);
  });
});

describe("createBounces()", () => {
  it("stops a client that comes back again and again, for a while", () => {
    const clock = fakeClock();
    const bounces = createBounces(clock);
    const allowed = () => bounces.allow("me");
    assert.deepEqual(Array.from({ length: 6 }, allowed), [true, true, true, true, false, false]);
    assert.ok(bounces.allow("another"));
    clock.advance(10_000);
    assert.ok(allowed());
  });
});
