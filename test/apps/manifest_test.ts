import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { parseManifest } from "../../src/apps/manifest.ts";
import { Fault } from "../../src/fault.ts";

const SOUND = { id: "app", name: "App", version: "1", entry: "index.html" };
const bytes = (value: unknown) =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

function problemOf(input: Uint8Array): string {
  try {
    parseManifest(input, "app");
  } catch (error) {
    assert.ok(error instanceof Fault);
    assert.equal(error.code, "invalid_app_manifest");
    return error.message;
  }
  return "sound";
}

describe("parseManifest()", () => {
  it("trims, and ignores unknown keys", () => {
    const manifest = { ...SOUND, name: " App ", version: " 1\n", entry: " /sub/./a.HTM ", x: 1 };
    assert.deepEqual(parseManifest(bytes(manifest), "app"), {
      id: "app",
      name: "App",
      version: "1",
      entry: "sub/a.HTM",
      description: null,
      isolation: false,
      fallback: null,
    });
  });

  it("takes isolation where it is asked for", () => {
    assert.equal(parseManifest(bytes({ ...SOUND, isolation: true }), "app").isolation, true);
    assert.equal(parseManifest(bytes({ ...SOUND, isolation: false }), "app").isolation, false);
  });

  it("keeps the description and takes null for none", () => {
    assert.equal(parseManifest(bytes({ ...SOUND, description: "D" }), "app").description, "D");
    assert.equal(parseManifest(bytes({ ...SOUND, description: null }), "app").description, null);
  });

  it("takes a fallback page by the rules of the entry", () => {
    const fallbackOf = (fallback: unknown) =>
      parseManifest(bytes({ ...SOUND, fallback }), "app").fallback;
    assert.equal(fallbackOf(" /sub/./app.HTML "), "sub/app.HTML");
    assert.equal(fallbackOf(null), null);
  });

  it("ignores a UTF-8 byte order mark and CRLF", () => {
    const text = JSON.stringify(SOUND, null, 2).replaceAll("\n", "\r\n");
    assert.equal(problemOf(bytes("\ufeff" + text)), "sound");
  });

  it("takes exactly 64 KiB and no more", () => {
    const room = 64 * 1024 - JSON.stringify({ ...SOUND, pad: "" }).length;
    assert.equal(problemOf(bytes({ ...SOUND, pad: "x".repeat(room) })), "sound");
    assert.match(problemOf(bytes({ ...SOUND, pad: "x".repeat(room + 1) })), /64 KiB/);
  });

  it("refuses UTF-16 and says how to mend it", () => {
    const text = JSON.stringify(SOUND);
    const utf16 = new Uint8Array([
      0xff,
      0xfe,
      ...[...text].flatMap((char) => [char.charCodeAt(0), 0]),
    ]);
    assert.match(problemOf(utf16), /UTF-16/);
  });

  const wrong: [what: string, manifest: unknown, problem: RegExp][] = [
    ["is empty", "", /not valid JSON/],
    ["is an array", [], /no JSON object/],
    ["is null", "null", /no JSON object/],
    ["ends in rubbish", JSON.stringify(SOUND) + "x", /not valid JSON/],
    ["lacks the id", { ...SOUND, id: undefined }, /lacks "id"/],
    ["has a number for a name", { ...SOUND, name: 1 }, /"name" that is no text/],
    ["lacks the entry", { ...SOUND, entry: undefined }, /lacks "entry"/],
    ["has a description of numbers", { ...SOUND, description: 1 }, /"description"/],
    ["has an isolation of text", { ...SOUND, isolation: "true" }, /"isolation" that is neither/],
    ["has a null isolation", { ...SOUND, isolation: null }, /"isolation" that is neither/],
    ["has a fallback of numbers", { ...SOUND, fallback: 1 }, /"fallback" that is no text/],
    ["has a fallback above the root", { ...SOUND, fallback: "../a.html" }, /"fallback" .*no safe/],
    ["has a hidden fallback", { ...SOUND, fallback: ".a.html" }, /"fallback" .*no safe path/],
    ["has an empty fallback", { ...SOUND, fallback: "" }, /empty "fallback"/],
    ["has a fallback that is no page", { ...SOUND, fallback: "a.js" }, /"fallback" .*no .html/],
    ["has another id", { ...SOUND, id: "App" }, /another "id"/],
    ["has an id with blanks", { ...SOUND, id: " app" }, /another "id"/],
    ["has a blank name", { ...SOUND, name: "  " }, /empty "name"/],
    ["has a blank version", { ...SOUND, version: "\t" }, /empty "version"/],
    ["has an entry above the root", { ...SOUND, entry: "../a.html" }, /no safe path/],
    ["has a hidden entry", { ...SOUND, entry: ".a/a.html" }, /no safe path/],
    ["has a backslash in the entry", { ...SOUND, entry: "a\\b.html" }, /no safe path/],
    ["has a NUL in the entry", { ...SOUND, entry: "a\0.html" }, /no safe path/],
    ["has an empty entry", { ...SOUND, entry: " / " }, /empty "entry"/],
    ["has an entry that is no page", { ...SOUND, entry: "app.js" }, /no .html file/],
  ];
  for (const [what, manifest, problem] of wrong) {
    it(`refuses a manifest that ${what}`, () => assert.match(problemOf(bytes(manifest)), problem));
  }

  it("inherits nothing from prototypes", () => {
    const text = '{"__proto__":{"id":"app","name":"A","version":"1","entry":"index.html"}}';
    assert.match(problemOf(bytes(text)), /lacks "id"/);
  });

  it("gives a manifest or a refusal, whatever the bytes are", () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.json().map((text) => bytes(text)),
      fc.record({ id: fc.constant("app"), name: fc.string(), entry: fc.string() }).map(bytes),
    );
    fc.assert(fc.property(anything, (input) => void problemOf(input)));
  });
});
