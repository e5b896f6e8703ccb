import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { mediaTypeOf } from "../../src/http/media_types.ts";

describe("mediaTypeOf()", () => {
  const cases: Record<string, string> = {
    // The contract's table.
    "index.html": "text/html; charset=utf-8",
    "INDEX.HTM": "text/html; charset=utf-8",
    "app.js": "text/javascript; charset=utf-8",
    "app.mjs": "text/javascript; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "a.json": "application/json; charset=utf-8",
    "app.js.map": "application/json; charset=utf-8",
    "a.txt": "text/plain; charset=utf-8",
    "a.svg": "image/svg+xml",
    "a.png": "image/png",
    "a.jpeg": "image/jpeg",
    "a.gif": "image/gif",
    "a.webp": "image/webp",
    "favicon.ico": "image/x-icon",
    "a.woff2": "font/woff2",
    "a.wasm": "application/wasm",
    "a.data": "application/octet-stream",
    "a.zzz": "application/octet-stream",
    "LICENSE": "application/octet-stream",
    "trailing.": "application/octet-stream",
    // Unity, Godot, Emscripten.
    "b.framework.js": "text/javascript; charset=utf-8",
    "b.symbols.json": "application/json; charset=utf-8",
    "b.wasm.unityweb": "application/octet-stream",
    "index.pck": "application/octet-stream",
    "index.worker.js": "text/javascript; charset=utf-8",
    "index.audio.worklet.js": "text/javascript; charset=utf-8",
    "a.js.mem": "application/octet-stream",
    // Precompressed files are downloads.
    "b.wasm.gz": "application/gzip",
    "b.js.br": "application/octet-stream",
    // Media.
    "v.mp4": "video/mp4",
    "v.webm": "video/webm",
    "v.ogv": "video/ogg",
    "a.mp3": "audio/mpeg",
    "a.ogg": "audio/ogg",
    "a.wav": "audio/wav",
    "a.avif": "image/avif",
    "m.glb": "model/gltf-binary",
    "site.webmanifest": "application/manifest+json; charset=utf-8",
    "s.vtt": "text/vtt; charset=utf-8",
    // Sources, not MPEG streams.
    "a.ts": "text/plain; charset=utf-8",
    "a.mts": "text/plain; charset=utf-8",
    "50%.png": "image/png",
  };
  for (const [name, expected] of Object.entries(cases)) {
    it(`gives ${expected} for ${name}`, () => assert.equal(mediaTypeOf(name), expected));
  }
});
