/** BR-23 in Chromium: a build that lies there compressed and plain starts, from whichever is sent. */

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { brotliCompressSync, gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";

const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
const SCRIPT = "self.ok = 1; // " + "a line that is worth packing ".repeat(500);

for (const runtime of ["node", "bun", "deno"] as const) {
  describe(`precompressed files on ${runtime}`, { skip: skipBrowser }, () => {
    let home: TestHome;
    let holon: ServedHolon;
    let browser: Browser;

    before(async () => {
      home = testHome();
      home.app("main", "un", { "index.html": "<!DOCTYPE html><title>U</title>U" });
      const build = join(home.path, "agents/main/apps/un/Build");
      mkdirSync(build);
      const files = {
        "a.wasm": EMPTY_MODULE,
        "a.wasm.gz": gzipSync(EMPTY_MODULE),
        "a.framework.js": SCRIPT,
        "a.framework.js.br": brotliCompressSync(SCRIPT),
        "a.framework.js.unityweb": gzipSync(SCRIPT),
      };
      for (const [name, bytes] of Object.entries(files)) writeFileSync(join(build, name), bytes);
      holon = await startHolon({ home: home.path, program: PROGRAMS[runtime] });
      browser = await launchBrowser();
    });

    after(async () => {
      await browser?.close();
      await holon?.stop();
      home?.remove();
    });

    it("are decoded by the browser, and run", async () => {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      const codings = new Map<string, string | undefined>();
      page.on("response", (response) => {
        const name = response.url().slice(response.url().lastIndexOf("/") + 1);
        codings.set(name, response.headers()["content-encoding"]);
      });
      await page.goto(`${holon.url}/apps/main/un/`);
      const compiled = await page.evaluate(
        `WebAssembly.compileStreaming(fetch("Build/a.wasm")).then((module) => String(module))`,
      );
      assert.equal(compiled, "[object WebAssembly.Module]");
      await page.addScriptTag({ url: "Build/a.framework.js" });
      assert.equal(await page.evaluate("self.ok"), 1);
      const text = `fetch("Build/a.framework.js").then((response) => response.text())`;
      assert.equal(await page.evaluate(text), SCRIPT);
      assert.equal(codings.get("a.wasm"), "gzip");
      assert.equal(codings.get("a.framework.js"), "br");
      assert.deepEqual(complaints, []);
    });
  });
}
