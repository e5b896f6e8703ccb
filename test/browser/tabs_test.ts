/** BR-34 of `cases/bug_reports.json`: a browser opens six connections to an origin, no more. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { until } from "../support/until.ts";
import { launchBrowser, skipBrowser } from "./support/browser.ts";
import { sdkPage, type TestHome, testHome } from "./support/home.ts";
import { type Relay, startRelay } from "./support/relay.ts";

const TABS = 8;

const CONTEXT = "window.context = await Holon.context();";
const EVENTS = `
window.got = [];
window.open = true;
window.run = (async () => {
  for await (const { event } of Holon.events()) window.got.push(event.request_id);
})();
${CONTEXT}
`;

describe("many tabs of one origin", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let relay: Relay;
  let browser: Browser;
  let profile: BrowserContext;

  before(async () => {
    home = testHome();
    home.app("main", "t1", { "index.html": sdkPage("app.js"), "app.js": CONTEXT });
    for (let index = 2; index <= 9; index++) {
      home.app("main", `t${index}`, { "index.html": sdkPage("app.js"), "app.js": EVENTS });
    }
    holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    relay = await startRelay(Number(new URL(holon.url).port));
    browser = await launchBrowser();
    profile = await browser.newContext();
    profile.setDefaultTimeout(10_000);
  });

  after(async () => {
    await browser?.close();
    await relay?.close();
    await holon?.stop();
    home?.remove();
  });

  async function openTabs(paths: readonly string[]): Promise<Page[]> {
    const pages: Page[] = [];
    for (const path of paths) {
      const page = await profile.newPage();
      await page.goto(relay.url + path, { timeout: 5_000 });
      await page.waitForFunction("window.context", undefined, { timeout: 5_000 });
      pages.push(page);
    }
    return pages;
  }

  const closeTabs = (pages: readonly Page[]) => Promise.all(pages.map((page) => page.close()));

  it("loads eight tabs of a page without a stream", async () => {
    const pages = await openTabs(Array.from({ length: TABS }, () => "/apps/main/t1/"));
    assert.equal(relay.streams.length, 0);
    await closeTabs(pages);
  });

  it("shares one stream between eight tabs, the home page beside them", async () => {
    const pages = await openTabs(Array.from({ length: TABS }, () => "/apps/main/t2/"));
    await until(() => relay.openStreams() === 1);
    await pages.at(-1)!.evaluate("Holon.request('ping', null, 'from-last')");
    for (const page of pages) await page.waitForFunction("window.got.includes('from-last')");
    assert.equal(relay.openStreams(), 1);
    const main = await profile.newPage();
    await main.goto(relay.url + "/", { timeout: 5_000 });
    await main.getByRole("heading", { name: "Apps" }).waitFor();
    assert.ok(relay.openStreams() <= 2);

    // The tab that holds the stream goes: another takes over from where that one was.
    await pages[0]!.close();
    const rest = pages.slice(1);
    await rest[0]!.evaluate("Holon.request('ping', null, 'after-leader')");
    for (const page of rest) await page.waitForFunction("window.got.includes('after-leader')");
    for (const page of rest) {
      const got = await page.evaluate("window.got") as string[];
      assert.deepEqual(got.filter((id) => id === "after-leader").length, 1);
    }
    await closeTabs([main, ...rest]);
    await until(() => relay.openStreams() === 0);
  });

  it("keeps connections free when eight different apps listen", async () => {
    const paths = Array.from({ length: TABS }, (_, index) => `/apps/main/t${index + 2}/`);
    const pages = await openTabs(paths);
    await until(() => relay.openStreams() >= 1);
    assert.ok(relay.openStreams() <= 4, `${relay.openStreams()} streams`);
    const receipt = await pages.at(-1)!.evaluate("Holon.request('ping', null, 'x')") as {
      status: string;
    };
    assert.equal(receipt.status, "accepted");
    // Those that wait for a stream get theirs as others close.
    await closeTabs(pages.slice(0, 4));
    await until(() => relay.openStreams() === 4);
    await pages.at(-1)!.evaluate("Holon.request('ping', null, 'y')");
    await pages.at(-1)!.waitForFunction("window.got.includes('y')");
    await closeTabs(pages.slice(4));
  });
});
