/**
 * BR-24: an app that asks for isolation shares memory with its workers; another one does not. Tried
 * with a module of a few bytes, and with a package from npm as it is: an AVIF encoder that Emscripten
 * built with threads, as it builds ffmpeg.wasm, Godot and Unity.
 */

import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";

/** Imports a shared memory of one page; `add(n)` adds 1 to its first word n times, atomically. */
const THREADED_WASM = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[0x01, 5, 1, 0x60, 1, 0x7f, 0], // type: (i32) -> ()
  ...[0x02, 16, 1, 3, ...ascii("env"), 6, ...ascii("memory"), 2, 3, 1, 1], // shared, 1 to 1 pages
  ...[0x03, 2, 1, 0],
  ...[0x07, 7, 1, 3, ...ascii("add"), 0, 0],
  ...[0x0a, 33, 1, 31, 0, 0x02, 0x40, 0x03, 0x40], // block loop
  ...[0x20, 0, 0x45, 0x0d, 1], // leave the block when the count is 0
  ...[0x41, 0, 0x41, 1, 0xfe, 0x1e, 2, 0, 0x1a], // i32.atomic.rmw.add of 1 at 0, dropped
  ...[0x20, 0, 0x41, 1, 0x6b, 0x21, 0, 0x0c, 0], // one less; again
  ...[0x0b, 0x0b, 0x0b],
]);

const PIXEL = Uint8Array.from(
  atob(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  ),
  (char) => char.charCodeAt(0),
);

const ROUNDS = 200_000;

const WORKER = `
self.onmessage = async ({ data: { module, memory, rounds } }) => {
  const { exports } = await WebAssembly.instantiate(module, { env: { memory } });
  exports.add(rounds);
  self.postMessage(self.crossOriginIsolated);
};
if (self.crossOriginIsolated === false) self.postMessage(false);
`;

const PAGE = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Threads</title>
<script src="holon.js"></script></head><body><img id="image" src="sub/p.png" alt="">
<script type="module">
const answer = (worker) => new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = reject;
});
const workers = [new Worker("worker.js"), new Worker("worker.js", { type: "module" })];
const answers = Promise.all(workers.map(answer));
const module = await WebAssembly.compileStreaming(fetch("m.wasm"));
let memory = null;
if (self.crossOriginIsolated) {
  memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  for (const worker of workers) worker.postMessage({ module, memory, rounds: ${ROUNDS} });
}
const inWorkers = await answers;
const image = document.querySelector("#image");
await image.decode();
const { agent_id } = await Holon.context();
const events = Holon.events();
const sent = [];
let seen = null;
const first = events.next().then(({ value }) => seen = value.event);
// What is sent before the stream is open isn't seen on it.
while (seen === null) {
  sent.push((await Holon.request("ping")).request_id);
  await Promise.race([first, new Promise((resolve) => setTimeout(resolve, 50))]);
}
await events.return();
window.result = {
  inPage: self.crossOriginIsolated,
  inWorkers,
  count: memory && new Int32Array(memory.buffer)[0],
  image: image.naturalWidth,
  agent_id,
  event: seen.type,
  sameRequest: sent.includes(seen.request_id),
};
</script></body></html>`;

/** Encodes a picture, and counts the threads that were given work. */
const ENCODER = `
let threads = 0;
self.Worker = class extends Worker {
  postMessage(message, ...rest) {
    if (message?.cmd === "run") threads++;
    super.postMessage(message, ...rest);
  }
};
try {
  const { default: create } = await import("./package/codec/enc/avif_enc_mt.js");
  const encoder = await create();
  const [width, height] = [192, 128];
  const pixels = Uint8Array.from({ length: 4 * width * height }, (_, at) => at % 4 === 3 ? 255 : at);
  const bytes = encoder.encode(pixels, width, height, {
    quality: 50, qualityAlpha: -1, denoiseLevel: 0, tileColsLog2: 0, tileRowsLog2: 0, speed: 8,
    subsample: 1, chromaDeltaQ: false, sharpness: 0, tune: 0, enableSharpYUV: false, bitDepth: 8,
    lossless: false,
  });
  self.postMessage({ threads, bytes: bytes.slice() });
} catch (error) {
  self.postMessage({ threads, error: error.message });
}
`;

const ENCODER_PAGE = `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>AVIF</title>
</head><body><script type="module">
new Worker("encode.js", { type: "module" }).onmessage = async ({ data: { bytes, ...rest } }) => {
  const picture = bytes && await createImageBitmap(new Blob([bytes], { type: "image/avif" }));
  window.result = picture ? { ...rest, width: picture.width, height: picture.height } : rest;
};
</script></body></html>`;

describe("a threaded wasm package from npm", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let browser: Browser;

  before(async () => {
    home = testHome();
    const codec = dirname(fileURLToPath(import.meta.resolve("@jsquash/avif")));
    for (const id of ["iso", "plain"]) {
      const manifest = { id, name: id, version: "1", entry: "index.html", isolation: id === "iso" };
      home.app("main", id, {
        "manifest.json": JSON.stringify(manifest),
        "index.html": ENCODER_PAGE,
        "encode.js": ENCODER,
      });
      cpSync(codec, join(home.path, "agents/main/apps", id, "package"), { recursive: true });
    }
    holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await holon?.stop();
    home?.remove();
  });

  async function resultOf(app: string): Promise<Readonly<Record<string, unknown>>> {
    const page = await browser.newPage();
    await page.goto(`${holon.url}/apps/main/${app}/`);
    await page.waitForFunction("window.result !== undefined");
    return await page.evaluate("window.result") as Readonly<Record<string, unknown>>;
  }

  it("runs its threads where the manifest asks for isolation", async () => {
    const { threads, ...picture } = await resultOf("iso");
    assert.deepEqual(picture, { width: 192, height: 128 });
    assert.ok(Number(threads) >= 1, `${threads} threads`);
  });

  it("can't where it doesn't", async () => {
    assert.deepEqual(await resultOf("plain"), {
      threads: 0,
      error: "SharedArrayBuffer is not defined",
    });
  });
});

for (const runtime of ["node", "bun", "deno"] as const) {
  describe(`isolation on ${runtime}`, { skip: skipBrowser }, () => {
    let home: TestHome;
    let holon: ServedHolon;
    let browser: Browser;

    before(async () => {
      home = testHome();
      for (const id of ["iso", "plain"]) {
        const manifest = { id, name: id, version: "1", entry: "index.html" };
        home.app("main", id, {
          "manifest.json": JSON.stringify(
            id === "iso" ? { ...manifest, isolation: true } : manifest,
          ),
          "index.html": PAGE,
          "worker.js": WORKER,
        });
        const folder = join(home.path, "agents/main/apps", id);
        mkdirSync(join(folder, "sub"));
        writeFileSync(join(folder, "m.wasm"), THREADED_WASM);
        writeFileSync(join(folder, "sub/p.png"), PIXEL);
      }
      holon = await startHolon({ home: home.path, program: PROGRAMS[runtime] });
      browser = await launchBrowser();
    });

    after(async () => {
      await browser?.close();
      await holon?.stop();
      home?.remove();
    });

    async function resultOf(path: string): Promise<unknown> {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${holon.url}/apps/main/${path}`);
      await page.waitForFunction("window.result !== undefined");
      assert.deepEqual(complaints, []);
      assert.ok(page.url().endsWith("/"));
      return await page.evaluate("window.result");
    }

    const works = { image: 1, agent_id: "main", event: "message_enqueued", sameRequest: true };

    for (const path of ["iso/", "iso"]) {
      it(`lets threads share memory at ${path}`, async () => {
        assert.deepEqual(await resultOf(path), {
          ...works,
          inPage: true,
          inWorkers: [true, true],
          count: 2 * ROUNDS,
        });
      });
    }

    it("is off unless the manifest asks for it", async () => {
      assert.deepEqual(await resultOf("plain/"), {
        ...works,
        inPage: false,
        inWorkers: [false, false],
        count: null,
      });
    });
  });
}

function ascii(text: string): number[] {
  return [...text].map((char) => char.charCodeAt(0));
}
