/**
 * BR-34 of `cases/bug_reports.json`: a browser opens six connections to an origin, no more. Live
 * reload is on.
 */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { until } from "../support/until.ts";
import { launchBrowser, skipBrowser } from "./support/browser.ts";
import { sdkPage, type TestHome, testHome } from "./support/home.ts";
import { type Relay, startRelay } from "./support/relay.ts";

const TABS = 8;
const MANY = 12;

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
    profile.setDefaultTimeout(15_000);
    // Headless tabs are all visible: tests say which are not.
    await profile.addInitScript(`Object.defineProperty(document, "visibilityState", {
      get: () => window.isHidden ? "hidden" : "visible",
    })`);
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
      await page.goto(relay.url + path, { timeout: 15_000 });
      await page.waitForFunction("window.context", undefined, { timeout: 15_000 });
      pages.push(page);
    }
    return pages;
  }

  async function setHidden(page: Page, hidden: boolean): Promise<void> {
    await page.evaluate(`
      window.isHidden = ${hidden};
      document.dispatchEvent(new Event("visibilitychange"));
    `);
  }

  const closeTabs = (pages: readonly Page[]) => Promise.all(pages.map((page) => page.close()));

  it("loads eight tabs of a page without a stream", async () => {
    const pages = await openTabs(Array.from({ length: TABS }, () => "/apps/main/t1/"));
    assert.equal(relay.streams.length, 0);
    await until(() => relay.openReloads() === 1);
    assert.ok(relay.reloads.every(({ path }) => path === "/api/reload?apps=main/t1"));
    await closeTabs(pages);
    await until(() => relay.openReloads() === 0);
  });

  for (const [what, script] of [["listen", EVENTS], ["don't listen", CONTEXT]] as const) {
    it(`loads, reloads and sends in twelve tabs of twelve apps that ${what}`, async () => {
      const ids = Array.from({ length: MANY }, (_, index) => `${what.charAt(0)}${index}`);
      const write = (id: string, text: string) =>
        home.app("main", id, { "index.html": sdkPage("app.js"), "app.js": text });
      for (const id of ids) write(id, script);
      const pages = await openTabs(ids.map((id) => `/apps/main/${id}/`));
      for (const round of [1, 2]) {
        await until(() => relay.openStreams() + relay.openReloads() <= 4);
        for (const id of ids) write(id, `${script}\nwindow.round = ${round};`);
        for (const page of pages) await page.waitForFunction(`window.round === ${round}`);
        for (const page of pages) {
          const { status } = await page.evaluate("Holon.request('ping')") as { status: string };
          assert.equal(status, "accepted");
        }
      }
      await until(() => relay.openStreams() + relay.openReloads() <= 4);
      await closeTabs(pages);
      await until(() => relay.openStreams() + relay.openReloads() === 0);
    });
  }

  it("shares one stream between eight tabs, the home page beside them", async () => {
    const pages = await openTabs(Array.from({ length: TABS }, () => "/apps/main/t2/"));
    await until(() => relay.openStreams() === 1);
    await until(() => relay.openReloads() === 0);
    await pages.at(-1)!.evaluate("Holon.request('ping', null, 'from-last')");
    for (const page of pages) await page.waitForFunction("window.got.includes('from-last')");
    assert.equal(relay.openStreams(), 1);
    const main = await profile.newPage();
    await main.goto(relay.url + "/", { timeout: 15_000 });
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
    assert.ok(relay.openStreams() <= 3, `${relay.openStreams()} streams`);
    const receipt = await pages.at(-1)!.evaluate("Holon.request('ping', null, 'x')") as {
      status: string;
    };
    assert.equal(receipt.status, "accepted");
    // Those that wait for a stream get theirs as others close.
    await closeTabs(pages.slice(0, 5));
    await until(() => relay.streams.some(({ path }) => path === `/apps/main/t${TABS + 1}/events`));
    assert.ok(relay.openStreams() <= 3, `${relay.openStreams()} streams`);
    await pages.at(-1)!.evaluate("Holon.request('ping', null, 'y')");
    await pages.at(-1)!.waitForFunction("window.got.includes('y')");
    await closeTabs(pages.slice(5));
  });

  it("takes a stream from a hidden app for a visible one, which goes on when it is seen", async () => {
    const hidden = await openTabs([2, 3, 4].map((index) => `/apps/main/t${index}/`));
    await until(() => relay.openStreams() === 3);
    for (const page of hidden) await setHidden(page, true);
    const [visible] = await openTabs(["/apps/main/t6/"]);
    await visible!.evaluate("Holon.request('ping', null, 'seen')");
    await visible!.waitForFunction("window.got.includes('seen')");
    assert.ok(relay.openStreams() <= 3, `${relay.openStreams()} streams`);

    // One of the three has no stream now; it gets what it missed when it is looked at.
    for (const page of hidden) await page.evaluate("Holon.request('ping', null, 'missed')");
    await visible!.close();
    for (const page of hidden) {
      await setHidden(page, false);
      await page.waitForFunction("window.got.includes('missed')");
    }
    await closeTabs(hidden);
  });

  it("lets go of the home page's stream while the page is hidden", async () => {
    await until(() => relay.openStreams() === 0);
    const pages = [await profile.newPage(), await profile.newPage()];
    for (const page of pages) {
      await page.goto(relay.url + "/");
      await page.locator(".connection.live").waitFor();
    }
    assert.equal(relay.openStreams(), 1);
    await setHidden(pages[0]!, true);
    await pages[1]!.locator(".connection.live").waitFor();
    await until(() => relay.openStreams() === 1);
    await setHidden(pages[1]!, true);
    await until(() => relay.openStreams() === 0);
    await setHidden(pages[0]!, false);
    await until(() => relay.openStreams() === 1);
    await closeTabs(pages);
  });
});
