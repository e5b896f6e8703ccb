import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import {
  LIVE_SDK_MODULE,
  LIVE_SDK_SCRIPT,
  SDK_MODULE,
  SDK_SCRIPT,
  SDK_TYPES,
} from "../../src/apps/sdk_built.ts";
import { TEMPLATES } from "../../src/apps/templates_built.ts";

test("SDK_SCRIPT and SDK_MODULE take less than 6 KiB when gzipped", () => {
  for (const text of [SDK_SCRIPT, SDK_MODULE]) {
    const size = gzipSync(text, { level: 9 }).byteLength;
    assert.ok(size < 6 * 1024, `${size} bytes`);
  }
});

test("live reload adds less than 2 KiB, which is not sent where it is off", () => {
  for (const [live, plain] of [[LIVE_SDK_SCRIPT, SDK_SCRIPT], [LIVE_SDK_MODULE, SDK_MODULE]]) {
    const [more, less] = [live!, plain!].map((text) => gzipSync(text, { level: 9 }).byteLength);
    assert.ok(more! - less! < 2 * 1024, `${more! - less!} bytes`);
    assert.match(live!, /data-holon-reload/);
    assert.doesNotMatch(plain!, /data-holon-reload/);
  }
});

test("SDK_SCRIPT leaves nothing but Holon behind and needs no eval", () => {
  assert.match(SDK_SCRIPT, /^(?:"use strict";)?\(\(\)=>\{/);
  assert.match(LIVE_SDK_SCRIPT, /^(?:"use strict";)?\(\(\)=>\{/);
  for (const text of [SDK_SCRIPT, SDK_MODULE, LIVE_SDK_SCRIPT, LIVE_SDK_MODULE]) {
    assert.doesNotMatch(text, /\beval\(|new Function\(/);
    assert.doesNotMatch(text, /https?:\/\//);
  }
  assert.match(SDK_TYPES, /readonly Holon: HolonApp/);
});

test("TEMPLATES are whole apps whose id and name are to be filled in", () => {
  for (const [name, files] of Object.entries(TEMPLATES)) {
    const byPath = new Map(files.map((file) => [file.path, file]));
    const manifest = byPath.get("manifest.json")!.content
      .replaceAll("{{id}}", "my-app").replaceAll("{{name}}", "My app");
    const { id, name: shown, version, entry } = JSON.parse(manifest);
    const expected = name === "ping-card" ? ["ping-card", "Ping Card"] : ["my-app", "My app"];
    assert.deepEqual([id, shown, version, entry], [...expected, "0.1.0", "index.html"], name);
    const page = byPath.get("index.html")!.content;
    assert.match(page, /src="holon\.js"/);
    for (const [, reference] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      assert.ok(reference === "holon.js" || byPath.has(reference!), `${name}: ${reference}`);
    }
    const size = files.reduce((sum, file) => sum + file.content.length, 0);
    assert.ok(size < 24 * 1024, `${name} has ${size} bytes`);
  }
});

test("TEMPLATES wasm has a module that runs", async () => {
  const file = TEMPLATES.wasm.find(({ path }) => path === "escape.wasm")!;
  assert.equal(file.encoding, "base64");
  const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes);
  const { memory, row } = instance.exports as {
    memory: WebAssembly.Memory;
    row: (left: number, y: number, step: number, count: number, limit: number) => void;
  };
  const counts = new Uint16Array(memory.buffer);
  // The first point is known for its 33 rounds; the one at 0.1i never leaves.
  row(-0.75, 0.1, 0.75, 2, 99);
  assert.deepEqual([...counts.subarray(0, 3)], [33, 99, 0]);
  // 2 + 2i is out after one round, and what was beside it stays.
  row(2, 2, 1, 1, 50);
  assert.deepEqual([...counts.subarray(0, 2)], [1, 99]);
});
