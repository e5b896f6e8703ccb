import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseConfigText, requireConfigKey } from "../../src/config/text_value.ts";

function parsed(name: string, text: string): unknown {
  return parseConfigText(requireConfigKey(name), text);
}

describe("parseConfigText()", () => {
  it("reads whole numbers in decimal digits only", () => {
    assert.equal(parsed("local_apps.max_asset_bytes", "134217728"), 134_217_728);
    for (const text of ["", "1e3", "0x10", "64MiB", "1.0", "abc", "0", "-5", "9007199254740993"]) {
      assert.throws(
        () => parsed("local_apps.max_asset_bytes", text),
        /^Fault: local_apps\.max_asset_bytes has to be a whole number/,
        text,
      );
    }
  });

  it("reads booleans as people write them", () => {
    for (const text of ["true", "1", "yes", "on", "Y", " TRUE "]) {
      assert.equal(parsed("server.blocking_files", text), true, text);
    }
    for (const text of ["false", "0", "no", "off", "N"]) {
      assert.equal(parsed("server.blocking_files", text), false, text);
    }
    assert.throws(() => parsed("server.blocking_files", "maybe"), /true or false/);
  });

  it("reads lists as a JSON array or with commas", () => {
    const want = ["a.example", "b.example"];
    assert.deepEqual(parsed("server.allowed_hosts", '["a.example","b.example"]'), want);
    assert.deepEqual(parsed("server.allowed_hosts", "a.example, b.example,"), want);
    assert.deepEqual(parsed("server.allowed_hosts", ""), []);
    assert.deepEqual(parsed("server.allowed_hosts", "[::1],a"), ["[::1]", "a"]);
    assert.throws(() => parsed("server.allowed_hosts", '["a"'), /no valid JSON array/);
    assert.throws(() => parsed("server.allowed_hosts", "[1]"), /list/);
  });

  it("takes null where a key does", () => {
    assert.equal(parsed("local_apps.csp", "null"), null);
    assert.throws(() => parsed("local_apps.csp", ""), /unset it instead/);
    assert.equal(parsed("agents.default", "null"), "null");
  });

  it("keeps a policy with commas and quotes as it is", () => {
    const policy = "default-src 'self'; script-src 'self' 'unsafe-inline'";
    assert.equal(parsed("local_apps.csp", policy), policy);
  });
});

describe("requireConfigKey()", () => {
  it("refuses unknown names with a hint", () => {
    assert.throws(() => requireConfigKey("local_apps.nope"), {
      code: "bad_request",
      hint: /config list/,
    });
  });
});
