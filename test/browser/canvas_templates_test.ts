/** The templates that draw on a canvas, played and moved in Chromium. */

import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { skipBrowser } from "./support/browser.ts";
import { startTemplateSite, type TemplateSite } from "./support/template_site.ts";

/** Fewer pixels are drawn sooner. */
const SMALL = { width: 300, height: 400 };
/** Far longer than a game of one who never turns, in seconds of the game's own. */
const MOST_SECONDS = 1200;

describe("templates that draw", { skip: skipBrowser }, () => {
  let site: TemplateSite;
  before(async () => {
    site = await startTemplateSite();
  });
  after(() => site?.close());
  afterEach(() => site.rest());

  it("game is played to its end, and keeps the best score", async () => {
    const { page, complaints } = await site.open(
      "game",
      { viewport: SMALL },
      (context) => context.clock.install(),
    );
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Play" }).waitFor();
    assert.equal(await page.evaluate("document.activeElement.id"), "play");
    await page.keyboard.press("Space");
    await dialog.waitFor({ state: "hidden" });
    // Who never turns is hit three times.
    for (let seconds = 0; !await dialog.isVisible(); seconds += 2) {
      assert.ok(seconds < MOST_SECONDS, `the game doesn't end: ${complaints.join()}`);
      await page.clock.runFor(2_000);
    }
    await page.getByText("A new best!").waitFor();
    const score = Number(await page.locator("#score").innerText());
    assert.ok(score > 0);
    await page.getByText(`You caught ${score}.`).waitFor();
    const stored = await page.evaluate("localStorage.getItem('best of /apps/main/my-game/')");
    assert.equal(stored, String(score));
    await page.clock.runFor(1_000);
    await page.keyboard.press("Space");
    await dialog.waitFor({ state: "hidden" });
    await page.reload();
    await page.locator("#best").getByText(String(score), { exact: true }).waitFor();
    assert.deepEqual(complaints, []);
  });

  /** The ship's angle, by the pixels that have its colour. */
  const SHIP_ANGLE = `(() => {
    const { width, height } = canvas;
    const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
    let x = 0, y = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (data[at] !== 0x14 || data[at + 1] !== 0x20 || data[at + 2] !== 0x1d) continue;
      x += at / 4 % width - width / 2;
      y += Math.floor(at / 4 / width) - height / 2;
    }
    return Math.atan2(y, x);
  })()`;

  it("game is steered by keys and taps, and waits for one who looks elsewhere", async () => {
    const { page, complaints } = await site.open("game", {
      viewport: SMALL,
      hasTouch: true,
      deviceScaleFactor: 2,
      reducedMotion: "reduce",
    }, async (context) => {
      await context.clock.install();
      await context.addInitScript(`Object.defineProperties(document, {
        hidden: { get: () => window.isHidden === true },
        visibilityState: { get: () => window.isHidden ? "hidden" : "visible" },
      })`);
    });
    await page.clock.pauseAt(Date.now() + 60_000);
    // One pixel for each of the screen's.
    await page.waitForFunction(`canvas.width === ${2 * SMALL.width}`);
    /** How far the ship goes in a moment, in radians; below 0 it goes the other way. */
    const way = async () => {
      const before = await page.evaluate(SHIP_ANGLE) as number;
      await page.clock.runFor(100);
      const turns = (await page.evaluate(SHIP_ANGLE) as number - before) / (2 * Math.PI);
      return (turns - Math.round(turns)) * 2 * Math.PI;
    };
    await page.getByRole("button", { name: "Play" }).tap();
    await page.clock.runFor(50);
    assert.ok(await way() > 0.05);
    await page.locator("canvas").tap();
    assert.ok(await way() < -0.05);
    await page.keyboard.press("ArrowLeft");
    assert.ok(await way() > 0.05);
    await page.keyboard.press("Space");
    assert.ok(await way() < -0.05);
    await page.evaluate(`
      window.isHidden = true;
      document.dispatchEvent(new Event("visibilitychange"));
    `);
    await page.getByText("Paused").waitFor();
    assert.equal(await way(), 0);
    await page.evaluate("window.isHidden = false");
    await page.getByRole("button", { name: "Go on" }).tap();
    assert.ok(await way() < -0.05);
    await page.keyboard.press("p");
    await page.getByText("Paused").waitFor();
    assert.equal(await way(), 0);
    assert.deepEqual(complaints, []);
  });

  it("wasm draws sharply, and moves by buttons, keys and mouse", async () => {
    const { page, complaints } = await site.open("wasm", { viewport: SMALL, deviceScaleFactor: 2 });
    const drawn = () => page.getByText(/^\d+ × \d+ points in/).waitFor();
    const picture = () => page.evaluate("canvas.toDataURL()");
    await drawn();
    assert.equal(await page.evaluate("canvas.width / canvas.clientWidth"), 2);
    /** The picture once it is complete: the status is written then. */
    const moved = async (move: () => Promise<void>): Promise<unknown> => {
      await page.evaluate(`document.querySelector("#status").textContent = ""`);
      await move();
      await drawn();
      return await picture();
    };
    const first = await picture();
    const button = (name: string) => () => page.getByRole("button", { name }).click();
    assert.notEqual(await moved(button("Closer")), first);
    assert.equal(await moved(button("Farther")), first);
    await page.locator("canvas").focus();
    assert.notEqual(await moved(() => page.keyboard.press("ArrowLeft")), first);
    assert.equal(await moved(() => page.keyboard.press("ArrowRight")), first);
    const panned = await moved(async () => {
      await page.mouse.move(100, 150);
      await page.mouse.down();
      await page.mouse.move(140, 170);
      await page.mouse.up();
    });
    assert.notEqual(panned, first);
    assert.notEqual(await moved(() => page.mouse.wheel(0, -300)), panned);
    assert.equal(await moved(button("Whole picture")), first);
    assert.deepEqual(complaints, []);
  });
});
