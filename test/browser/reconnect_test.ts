/** BR-31 of `cases/bug_reports.json`: the position moves with each event, not each connection. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { until } from "../support/until.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { sdkPage, type TestHome, testHome } from "./support/home.ts";
import { type Relay, startRelay } from "./support/relay.ts";

const SCRIPT = `
window.got = [];
window.stop = new AbortController();
window.ended = false;
window.loop = (async () => {
  for await (const { event } of Holon.events({ signal: window.stop.signal })) {
    if (event.type === "message_enqueued") window.got.push(event.sequence);
    if (window.leave) break;
  }
  window.ended = true;
})();
`;

describe("events()", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let relay: Relay;
  let browser: Browser;

  before(async () => {
    home = testHome();
    // Its stream would be counted, and cut, like the one under test.
    home.file("..", "config.json", '{ "local_apps": { "live_reload": "off" } }');
    home.app("main", "sdk", { "index.html": sdkPage("app.js"), "app.js": SCRIPT });
    holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    relay = await startRelay(portOf(holon));
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await relay?.close();
    await holon?.stop();
    home?.remove();
  });

  const sent: number[] = [];

  /** Sends requests past the relay, and notes how many events there must be. */
  async function send(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const response = await fetch(`${holon.url}/apps/main/sdk/request`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ version: "1", request_type: "ping", payload: null }),
      });
      assert.equal(response.status, 200);
      await response.arrayBuffer();
      sent.push(sent.length + 1);
    }
  }

  const gotOf = (page: Page) => page.evaluate("window.got") as Promise<number[]>;
  const allCame = (page: Page) => until(async () => (await gotOf(page)).length >= sent.length);
  const streamCount = (count: number) => until(() => relay.streams.length >= count);

  it("resumes after the last event of each connection, without loss or repetition", async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${relay.url}/apps/main/sdk/`);
    await streamCount(1);
    await until(() => relay.openStreams() === 1);
    await send(2);
    await allCame(page);
    const newest = async () => String((await gotOf(page)).at(-1));
    const expected: (string | null)[] = [null];

    expected.push(await newest());
    relay.cut();
    await send(2);
    await allCame(page);
    await send(2);
    await allCame(page);
    expected.push(await newest());
    relay.cut();
    await send(2);
    await allCame(page);
    expected.push(await newest(), await newest());
    relay.cut();
    await streamCount(4);
    relay.cut();
    await send(2);
    await allCame(page);
    assert.deepEqual(relay.streams.map(({ lastEventId }) => lastEventId), expected);

    // The server goes away for as long as two tries take, and comes back on its port.
    const before = relay.streams.length;
    const last = await newest();
    const port = portOf(holon);
    const away = performance.now();
    await holon.stop();
    await streamCount(before + 2);
    holon = await startHolon({
      home: home.path,
      program: PROGRAMS.node,
      args: ["--port", String(port)],
    });
    await send(2);
    await allCame(page);
    const tries = relay.streams.slice(before);
    assert.ok(tries.every(({ lastEventId }) => lastEventId === last), JSON.stringify(tries));
    const waits = tries.map(({ at }, index) => at - (index === 0 ? away : tries[index - 1]!.at));
    waits.forEach((wait, index) => {
      const due = [1_000, 2_000, 4_000, 8_000][index]!;
      // The first wait begins somewhere within the stop of the server.
      assert.ok(wait > due * 0.9 && wait < due + 3_000, `${waits}`);
    });

    const mark = relay.streams.length;
    const cutAt = performance.now();
    relay.cut();
    await streamCount(mark + 1);
    const again = relay.streams[mark]!.at - cutAt;
    assert.ok(again > 900 && again < 3_500, `the first wait after a success was ${again} ms`);

    const got = await gotOf(page);
    assert.equal(new Set(got).size, got.length);
    assert.deepEqual(got, [...got].sort((a, b) => a - b));
    assert.equal(got.length, sent.length);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  it("lets go while its page is frozen, and misses nothing", async () => {
    const page = await browser.newPage();
    await page.goto(`${relay.url}/apps/main/sdk/`);
    await until(() => relay.openStreams() === 1);
    await send(1);
    await page.waitForFunction("window.got.length === 1");
    await setFrozen(page, true);
    await until(() => relay.openStreams() === 0);
    await send(2);
    await setFrozen(page, false);
    await page.waitForFunction("window.got.length === 3");
    await page.close();
    await until(() => relay.openStreams() === 0);
  });

  for (const way of ["abort", "break"] as const) {
    it(`closes the connection and asks no more after ${way}`, async () => {
      const page = await browser.newPage();
      const complaints = complaintsOf(page);
      await page.goto(`${relay.url}/apps/main/sdk/`);
      await until(() => relay.openStreams() === 1);
      await send(1);
      await page.waitForFunction("window.got.length === 1");
      if (way === "abort") await page.evaluate("window.stop.abort()");
      else {
        await page.evaluate("window.leave = true");
        await send(1);
      }
      await page.waitForFunction("window.ended");
      await until(() => relay.openStreams() === 0);
      const asked = relay.streams.length;
      relay.cut();
      // Longer than the first wait: a try would have come by then.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      assert.equal(relay.streams.length, asked);
      assert.deepEqual(complaints, []);
      await page.close();
    });
  }
});

/** Tells a page what the browser tells one that it freezes or thaws; headless ones never are. */
async function setFrozen(page: Page, frozen: boolean): Promise<void> {
  await page.evaluate(`document.dispatchEvent(new Event("${frozen ? "freeze" : "resume"}"))`);
}

function portOf(holon: ServedHolon): number {
  return Number(new URL(holon.url).port);
}
