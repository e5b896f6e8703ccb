/**
 * A page that opens 1,000 event streams (issue 3, hostile apps): the browser has six connections to
 * the host, and other apps and the home page still get theirs.
 */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { STREAMS_OF_A_BROWSER } from "../../src/http/stream_bound.ts";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { launchBrowser, skipBrowser } from "./support/browser.ts";
import { sdkPage, type TestHome, testHome } from "./support/home.ts";

/** Opens streams of its own, of another app and of the owner, and keeps those that it gets. */
const HOSTILE = `
window.open = 0;
window.refused = [];
const paths = ["events", "../calm/events", "/api/events/stream", "/api/reload?apps=main/hostile"];
for (let count = 0; count < 1_000; count++) {
  fetch(paths[count % paths.length], { cache: "no-store" }).then(async (response) => {
    if (response.ok) window.open++;
    else window.refused.push([response.status, await response.json()]);
  });
}
`;

const CALM = `
window.receipt = await Holon.request("ping");
window.context = await Holon.context();
`;

describe("a page that opens 1,000 event streams", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let browser: Browser;

  before(async () => {
    home = testHome();
    home.app("main", "hostile", {
      "index.html": `<!DOCTYPE html><title>Hostile</title><script src="app.js"></script>`,
      "app.js": HOSTILE,
    });
    home.app("main", "calm", { "index.html": sdkPage("app.js"), "app.js": CALM });
    holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await holon?.stop();
    home?.remove();
  });

  it("gets a few, and other apps and the home page of that browser go on", async () => {
    const profile = await browser.newContext();
    profile.setDefaultTimeout(60_000);
    const hostile = await profile.newPage();
    await hostile.goto(`${holon.url}/apps/main/hostile/`);
    const left = 1_000 - STREAMS_OF_A_BROWSER;
    await hostile.waitForFunction(`window.refused.length === ${left}`);
    assert.equal(await hostile.evaluate("window.open"), STREAMS_OF_A_BROWSER);
    const refused = await hostile.evaluate("window.refused") as [number, Record<string, string>][];
    for (const [status, { code, error }] of refused) {
      assert.deepEqual([status, code], [503, "too_many_streams"]);
      assert.equal(error, "This browser has too many event streams open");
    }

    const calm = await profile.newPage();
    await calm.goto(`${holon.url}/apps/main/calm/`);
    await calm.waitForFunction("window.context");
    assert.equal(await calm.evaluate("window.receipt.status"), "accepted");
    const main = await profile.newPage();
    await main.goto(`${holon.url}/`);
    await main.getByRole("link", { name: "calm" }).waitFor();

    // Once the hostile page is gone, the home page is live again.
    await hostile.close();
    await main.locator(".connection.live").waitFor();
    await profile.close();
  });
});
