/** Chromium plays and seeks a video, and runs a wasm package from npm, out of an app's folder. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { type TempDirectory, tempDirectory } from "../support/temp_home.ts";
import { skipWithout } from "../support/tools.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { type TestHome, testHome } from "./support/home.ts";

/** Red for so long and blue for as long again, in seconds; noise makes it large. */
const HALF = 40;

const PLAYER = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Player</title>
<video src="clip.webm" preload="metadata" muted width="320" height="240"></video>
<script type="module">
const video = document.querySelector("video");
const once = (name) => new Promise((resolve, reject) => {
  video.addEventListener(name, resolve, { once: true });
  video.addEventListener("error", () => reject(video.error), { once: true });
});
/** Which colour is shown, of what was decoded. */
window.colour = () => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  canvas.drawImage(video, 0, 0, 1, 1);
  const [red, , blue] = canvas.getImageData(0, 0, 1, 1).data;
  return red > blue + 50 ? "red" : blue > red + 50 ? "blue" : "neither";
};
window.seek = async (seconds) => {
  const seeked = once("seeked");
  video.currentTime = seconds;
  await seeked;
  return { time: video.currentTime, colour: window.colour() };
};
window.play = async () => {
  const start = video.currentTime;
  await video.play();
  while (video.currentTime < start + 0.3) await once("timeupdate");
  video.pause();
  return window.colour();
};
</script></html>`;

const CALCULATOR = `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Calculator</title>
<script type="module">
import { QuickJS } from "./package/dist/index.js";
const wasm = await WebAssembly.compileStreaming(fetch("package/quickjs.wasm"));
const vm = await QuickJS.create({ wasm });
window.evaluate = (code) => vm.dump(vm.evalCode(code));
</script></html>`;

const skip = skipBrowser || skipWithout("ffmpeg");
let video: TempDirectory | undefined;
before(() => {
  if (skip) return;
  video = tempDirectory();
  encode(join(video.path, "clip.webm"));
});
after(() => video?.remove());

for (const runtime of ["node", "bun", "deno"] as const) {
  describe(`an app's video and wasm on ${runtime}`, { skip }, () => {
    let home: TestHome;
    let holon: ServedHolon;
    let browser: Browser;

    before(async () => {
      home = testHome();
      home.app("main", "player", { "index.html": PLAYER });
      home.app("main", "calculator", { "index.html": CALCULATOR });
      const apps = join(home.path, "agents/main/apps");
      cpSync(join(video!.path, "clip.webm"), join(apps, "player/clip.webm"));
      const entry = createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm");
      mkdirSync(join(apps, "calculator/package"));
      cpSync(dirname(entry), join(apps, "calculator/package"), { recursive: true });
      holon = await startHolon({ home: home.path, program: PROGRAMS[runtime] });
      browser = await launchBrowser();
    });

    after(async () => {
      await browser?.close();
      await holon?.stop();
      home?.remove();
    });

    it("plays, and seeks far ahead and back without loading what lies between", async () => {
      const size = statSync(join(home.path, "agents/main/apps/player/clip.webm")).size;
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      const starts: number[] = [];
      page.on("response", (response) => {
        if (!response.url().endsWith("clip.webm")) return;
        assert.equal(response.status(), 206);
        const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(
          response.headers()["content-range"] ?? "",
        ) ?? [];
        assert.equal(Number(total), size);
        starts.push(Number(start));
      });
      await page.goto(`${holon.url}/apps/main/player/`);
      await page.waitForFunction(`document.querySelector("video").readyState > 0`);
      const duration = await page.evaluate(`document.querySelector("video").duration`);
      assert.ok(Math.abs(Number(duration) - 2 * HALF) < 1, `${duration} s`);
      assert.equal(await page.evaluate("play()"), "red");
      const ahead = HALF * 1.75;
      assert.deepEqual(await page.evaluate(`seek(${ahead})`), { time: ahead, colour: "blue" });
      assert.ok(starts.some((start) => start > size / 2), `asked from ${starts} of ${size}`);
      assert.equal(await page.evaluate("play()"), "blue");
      assert.deepEqual(await page.evaluate("seek(1)"), { time: 1, colour: "red" });
      assert.deepEqual(complaints, []);
      await page.close();
    });

    it("runs a wasm package from npm", async () => {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${holon.url}/apps/main/calculator/`);
      await page.waitForFunction("window.evaluate !== undefined");
      assert.equal(await page.evaluate(`evaluate("[1, 2, 3].map((n) => n ** 2).join()")`), "1,4,9");
      assert.equal(await page.evaluate(`evaluate("typeof document")`), "undefined");
      assert.deepEqual(complaints, []);
      await page.close();
    });
  });
}

/** Makes a video of some megabytes, more than a browser loads ahead. */
function encode(path: string): void {
  const colour = (name: string) => `color=c=${name}:s=320x240:r=10:d=${HALF}`;
  const graph = `${colour("red")}[a];${colour("blue")}[b];[a][b]concat=n=2:v=1,` +
    `noise=alls=60:allf=t[v]`;
  execFileSync("ffmpeg", [
    ...["-v", "error", "-filter_complex", graph, "-map", "[v]"],
    ...["-c:v", "libvpx", "-b:v", "1500k", "-g", "10", "-deadline", "realtime", "-cpu-used", "8"],
    path,
  ]);
}
