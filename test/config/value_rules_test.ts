import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  appProblem,
  canonicalHost,
  canonicalOrigin,
  headerValueProblem,
  hostProblem,
  originDomainProblem,
  originProblem,
  proxyProblem,
} from "../../src/config/value_rules.ts";

describe("headerValueProblem()", () => {
  it("accepts whole policies", () => {
    for (const value of ["default-src 'self'", "sandbox", "default-src 'none'; img-src *"]) {
      assert.equal(headerValueProblem(value), null);
    }
  });

  it("refuses what could end or garble the header", () => {
    for (const value of ["", "  ", "a\r\nb: c", "a\nb", "a\u0000", "naïve", " a", "a ", "a\tb"]) {
      assert.notEqual(headerValueProblem(value), null, JSON.stringify(value));
    }
    assert.notEqual(headerValueProblem("a".repeat(8193)), null);
  });

  it("accepts nothing that Headers refuses or changes", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (value) => {
      if (headerValueProblem(value) !== null) return;
      assert.equal(new Headers({ "x": value }).get("x"), value);
    }));
  });
});

describe("hostProblem()", () => {
  it("accepts names and IP addresses", () => {
    for (const value of ["holon.example", "LAB", "10.0.0.5", "::1", "[fe80::1]", "a_b.local"]) {
      assert.equal(hostProblem(value), null, value);
    }
  });

  it("refuses ports, schemes, paths, wildcards and nonsense", () => {
    const bad = [
      "",
      "a:80",
      "[::1]:80",
      "http://a",
      "a/b",
      "*.a",
      "*",
      "a b",
      "1.2.3",
      "256.1.1.1",
    ];
    for (const value of [...bad, "-a", "a..b", "é.example", "a@b"]) {
      assert.notEqual(hostProblem(value), null, value);
    }
  });

  it("says to leave out the port", () => {
    assert.match(hostProblem("lab.example:8443") ?? "", /leave out the port/);
  });
});

describe("originProblem()", () => {
  it("accepts bare http and https origins", () => {
    const good = [
      "https://a.example",
      "http://localhost:5173",
      "HTTPS://A.EXAMPLE",
      "http://[::1]:1",
    ];
    for (const value of good) assert.equal(originProblem(value), null, value);
  });

  it("refuses all else", () => {
    const bad = ["*", "null", "a.example", "ftp://a", "https://a/", "https://a?x", "https://a#x"];
    for (const value of [...bad, "https://u@a", "https://*.a", "https://a:0", "https://a:99999"]) {
      assert.notEqual(originProblem(value), null, value);
    }
  });
});

describe("proxyProblem()", () => {
  it("accepts addresses and ranges, and nothing else", () => {
    for (const value of ["10.0.0.1", "10.0.0.0/8", "::1", "fd00::/8", "0.0.0.0/0"]) {
      assert.equal(proxyProblem(value), null, value);
    }
    for (const value of ["proxy", "10.0.0.0/33", "fd00::/129", "10.0.0.0/8/8", "10.0.0.0/", ""]) {
      assert.notEqual(proxyProblem(value), null, value);
    }
  });
});

describe("canonicalHost() and canonicalOrigin()", () => {
  it("spell like browsers do", () => {
    assert.equal(canonicalHost("LAB.example"), "lab.example");
    assert.equal(canonicalHost("0:0:0:0:0:0:0:1"), "[::1]");
    assert.equal(canonicalOrigin("HTTPS://Lab.Example:443"), "https://lab.example");
  });
});

describe("appProblem()", () => {
  it("accepts all, and an app of an agent", () => {
    for (const value of ["all", "main/ping-card", "a.b/C_1"]) assert.equal(appProblem(value), null);
  });

  it("refuses what names no app", () => {
    for (const value of ["", "main", "main/", "/card", "main/card/", "main/.x", "*", "main/*"]) {
      assert.notEqual(appProblem(value), null, value);
    }
  });
});

describe("originDomainProblem()", () => {
  it("accepts domains of other machines", () => {
    for (const value of ["apps.example.net", "lab", "a-b.local"]) {
      assert.equal(originDomainProblem(value), null);
    }
  });

  it("refuses what has no names below, or those of this machine", () => {
    for (
      const value of [
        ...["", "*.example.net", "example.net:80", "https://example.net", "10.0.0.1", "[::1]"],
        ...["localhost", "apps.localhost", "Apps.example.net", `${"a.".repeat(100)}net`],
      ]
    ) assert.notEqual(originDomainProblem(value), null, value);
  });
});
