import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readDocument, sameJson, settingOf, withValue } from "../../src/config/document.ts";
import { CONFIG_KEYS, configJsonSchema, findConfigKey } from "../../src/config/schema.ts";
import type { ConfigSnapshot } from "../../src/config/settings.ts";
import { effectiveAppSettings, STRICT_CSP } from "../../src/config/settings.ts";

function snapshotOf(document: Record<string, unknown>): ConfigSnapshot {
  const reading = readDocument(document);
  assert.ok(reading.ok, reading.ok ? "" : reading.problem);
  return reading.snapshot;
}

function problemOf(document: Record<string, unknown>): string {
  const reading = readDocument(document);
  assert.ok(!reading.ok);
  return reading.problem;
}

describe("readDocument()", () => {
  it("gives every key its default when the document is empty", () => {
    const snapshot = snapshotOf({});
    assert.equal(snapshot.settings.local_apps.max_asset_bytes, 67_108_864);
    assert.equal(snapshot.settings.local_apps.csp, null);
    assert.equal(snapshot.settings.agents.default, "main");
    assert.equal(snapshot.explicit.size, 0);
    for (const key of CONFIG_KEYS) {
      assert.deepEqual(settingOf(snapshot, key), key.defaultValue, key.name);
      assert.equal(key.problem(key.defaultValue), null, key.name);
      assert.match(key.description, /^[A-Z].*\.$/, key.name);
    }
  });

  it("freezes the snapshot all the way down", () => {
    const { settings } = snapshotOf({ server: { allowed_hosts: ["a"] } });
    assert.ok(Object.isFrozen(settings) && Object.isFrozen(settings.server.allowed_hosts));
  });

  it("names the key that is wrong", () => {
    const limit = (value: unknown) => problemOf({ local_apps: { max_asset_bytes: value } });
    for (const value of [0, -1, 1.5, "1", null, 1e400, true, [1], 2 ** 53]) {
      assert.match(limit(value), /^local_apps\.max_asset_bytes has to be a whole number of bytes/);
    }
    assert.match(problemOf({ local_apps: { csp: "a\r\nb" } }), /^local_apps\.csp has a character/);
    assert.match(problemOf({ local_apps: { csp: "" } }), /^local_apps\.csp is empty/);
    assert.match(problemOf({ local_apps: { profile: "x" } }), /^local_apps\.profile has to be/);
    assert.match(problemOf({ agents: { default: ".x" } }), /^agents\.default is no agent id/);
    assert.match(problemOf({ server: { blocking_files: "no" } }), /^server\.blocking_files/);
    assert.match(problemOf({ server: { trusted_origins: "x" } }), /^server\.trusted_origins/);
  });

  it("refuses a group that is no object", () => {
    for (const value of [[], null, 3, "x"]) {
      assert.match(problemOf({ local_apps: value }), /^local_apps has to be an object/);
    }
  });

  it("keeps unknown keys and names them", () => {
    const reading = readDocument({
      $schema: "x",
      local_apps: { nwe: 1 },
      other: { deep: 1 },
      api: { cors: { enabled: true } },
    });
    assert.ok(reading.ok);
    assert.deepEqual([...reading.unknown].sort(), ["api.cors", "local_apps.nwe", "other"]);
  });

  it("honours upstream's name of the trusted origins, below our own", () => {
    const aliased = { api: { csrf: { trusted_origins: ["HTTPS://A.example:443"] } } };
    assert.deepEqual(snapshotOf(aliased).settings.server.trusted_origins, ["https://a.example"]);
    const both = { ...aliased, server: { trusted_origins: ["https://b.example"] } };
    assert.deepEqual(snapshotOf(both).settings.server.trusted_origins, ["https://b.example"]);
    assert.deepEqual(readDocument(aliased).ok && snapshotOf(aliased).explicit.size, 1);
  });

  it("is not led astray by names of Object.prototype", () => {
    const document = JSON.parse('{"__proto__":{"local_apps":{"max_asset_bytes":1}},"toString":1}');
    assert.equal(snapshotOf(document).settings.local_apps.max_asset_bytes, 67_108_864);
    assert.equal(findConfigKey("__proto__"), undefined);
    assert.equal(findConfigKey("constructor"), undefined);
  });
});

describe("withValue()", () => {
  const csp = findConfigKey("local_apps.csp")!;

  it("changes one key and leaves all else as it is", () => {
    const before = { x: [1], local_apps: { csp: "a", later: true } };
    assert.deepEqual(withValue(before, csp, "b"), {
      x: [1],
      local_apps: { csp: "b", later: true },
    });
    assert.deepEqual(withValue(before, csp, undefined), { x: [1], local_apps: { later: true } });
    assert.deepEqual(before, { x: [1], local_apps: { csp: "a", later: true } });
  });

  it("leaves no empty groups and no alias behind", () => {
    assert.deepEqual(withValue({ local_apps: { csp: "a" } }, csp, undefined), {});
    const origins = findConfigKey("api.csrf.trusted_origins")!;
    assert.equal(origins.name, "server.trusted_origins");
    const aliased = { api: { csrf: { trusted_origins: ["https://a"] }, other: 1 } };
    assert.deepEqual(withValue(aliased, origins, undefined), { api: { other: 1 } });
  });
});

describe("effectiveAppSettings()", () => {
  it("adds nothing in the open profile", () => {
    assert.deepEqual(effectiveAppSettings(snapshotOf({})), {
      maxAssetBytes: 67_108_864,
      csp: null,
      manifestRequired: false,
      typesLimited: false,
      precompressed: true,
    });
  });

  it("applies the older guide's rules in the strict profile", () => {
    assert.deepEqual(effectiveAppSettings(snapshotOf({ local_apps: { profile: "strict" } })), {
      maxAssetBytes: 8_388_608,
      csp: STRICT_CSP,
      manifestRequired: true,
      typesLimited: true,
      precompressed: false,
    });
  });

  it("lets explicit keys beat the profile, even where they are equal to the default", () => {
    const local_apps = {
      profile: "strict",
      csp: null,
      max_asset_bytes: 67_108_864,
      precompressed: true,
    };
    const settings = effectiveAppSettings(snapshotOf({ local_apps }));
    assert.equal(settings.csp, null);
    assert.equal(settings.precompressed, true);
    assert.equal(settings.maxAssetBytes, 67_108_864);
    assert.equal(settings.manifestRequired, true);
  });
});

describe("configJsonSchema()", () => {
  it("has a sentence and a default for each key", () => {
    const schema = configJsonSchema() as {
      properties: Record<string, { properties: Record<string, Record<string, unknown>> }>;
    };
    for (const key of CONFIG_KEYS) {
      const entry = schema.properties[key.group]?.properties[key.member];
      assert.equal(entry?.description, key.description);
      assert.deepEqual(entry?.default, key.defaultValue);
      assert.equal(entry?.["x-applies"], key.applies);
    }
  });
});

describe("sameJson()", () => {
  it("agrees with a round trip, and sees every difference", () => {
    fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      assert.ok(sameJson(left, JSON.parse(JSON.stringify(left))) || Object.is(left, -0));
      assert.equal(sameJson(left, right), sameJson(right, left));
    }));
    assert.ok(sameJson({ a: 1, b: 2 }, { b: 2, a: 1 }));
    assert.ok(!sameJson([1], { 0: 1 }));
    assert.ok(!sameJson({ a: undefined }, { b: undefined }));
    assert.ok(!sameJson(null, {}));
  });
});
