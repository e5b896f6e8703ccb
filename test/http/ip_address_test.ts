import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { canonicalIp, ipRange, isWildcardIp } from "../../src/http/ip_address.ts";

describe("canonicalIp()", () => {
  it("gives each address one spelling", () => {
    const spellings = {
      "127.0.0.1": "127.0.0.1",
      "::FFFF:127.0.0.1": "127.0.0.1",
      "::ffff:a4d:1": "10.77.0.1",
      "::ffff:0.0.0.0": "0.0.0.0",
      "0:0:0:0:0:0:0:1": "::1",
      "::0": "::",
      "::0.0.0.0": "::",
      "FD00:0::000A": "fd00::a",
    };
    for (const [text, want] of Object.entries(spellings)) assert.equal(canonicalIp(text), want);
  });

  it("knows no names, zones, ports, and no forms of IPv4 that resolvers alone take", () => {
    const bad = ["", "0", "0x7f.1", "127.1", "010.0.0.1", "256.0.0.1", "1.2.3.4:5", "[::1]"];
    for (const text of [...bad, "fe80::1%eth0", "::g", "1::2::3", "lab", "localhost", "1.2.3.4."]) {
      assert.equal(canonicalIp(text), null, text);
    }
  });

  it("tells the addresses that stand for all", () => {
    for (const text of ["0.0.0.0", "::", "0::0", "::ffff:0:0"]) {
      assert.ok(isWildcardIp(canonicalIp(text) ?? ""), text);
    }
    assert.ok(!isWildcardIp("0.0.0.1") && !isWildcardIp("::1"));
  });
});

describe("ipRange()", () => {
  it("holds what is in it, by whole bits", () => {
    const inRange = ipRange(["10.0.0.0/9", "192.168.1.7", "fd00::/7", "::ffff:172.16.0.0/108"]);
    for (
      const address of ["10.0.0.1", "10.127.255.255", "192.168.1.7", "fc12::1", "172.31.0.1"]
    ) {
      assert.ok(inRange(address), address);
      if (!address.includes(":")) assert.ok(inRange(`::ffff:${address}`), address);
    }
    for (const address of ["10.128.0.0", "192.168.1.8", "fe00::1", "172.32.0.0", "::1", "x"]) {
      assert.ok(!inRange(address), address);
    }
    assert.ok(!inRange(null) && !ipRange([])("127.0.0.1"));
    assert.ok(ipRange(["0.0.0.0/0"])("8.8.8.8") && !ipRange(["0.0.0.0/0"])("::1"));
  });

  it("holds an address in each range that begins with its own bits", () => {
    fc.assert(fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, length) => {
      assert.ok(ipRange([`${address}/${length}`])(address));
    }));
    fc.assert(fc.property(fc.ipV6(), fc.integer({ min: 0, max: 128 }), (address, length) => {
      fc.pre(canonicalIp(address)?.includes(":") === true);
      assert.ok(ipRange([`${address}/${length}`])(address));
    }));
  });
});
