import assert from "node:assert/strict";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { PROGRAMS, type ServedHolon, startHolon } from "../support/served_holon.ts";
import { violationsOf } from "./support/axe.ts";
import { complaintsOf, launchBrowser, skipBrowser } from "./support/browser.ts";
import { sdkPage, type TestHome, testHome } from "./support/home.ts";
import { until } from "../support/until.ts";

const PHONE = { viewport: { width: 360, height: 740 } };

describe("home page", { skip: skipBrowser }, () => {
  let home: TestHome;
  let holon: ServedHolon;
  let browser: Browser;

  before(async () => {
    home = testHome();
    home.template("main", "ping-card");
    home.app("main", "derived", { "index.html": "<!DOCTYPE html><title>d</title>" });
    home.app("main", "broken", {
      "index.html": "<!DOCTYPE html><title>b</title>",
      "manifest.json": '{"id":"broken","name":"Broken"}',
    });
    home.app("main", "My App", { "index.html": "<!DOCTYPE html><title>m</title>" });
    home.agent("empty", {});
    holon = await startHolon({ home: home.path, program: PROGRAMS.node });
    browser = await launchBrowser();
  });

  after(async () => {
    await browser?.close();
    await holon?.stop();
    home?.remove();
  });

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(holon.url + "/");
    await page.getByRole("heading", { name: "main" }).waitFor();
    return page;
  }

  const card = (page: Page, name: string) =>
    page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });

  it("shows agents and their apps, and what is wrong with a broken one", async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(holon.url + "/");
    const ping = card(page, "Ping Card");
    await ping.waitFor();
    const text = await ping.innerText();
    assert.match(text, /Sends a ping to the agent/);
    assert.match(text, /0\.1\.0/);
    assert.match(text, /Live/);
    const broken = await card(page, "broken").innerText();
    assert.match(broken, /Needs mending/);
    assert.match(broken, /version/);
    assert.equal(await card(page, "broken").getByRole("link").count(), 0);
    assert.match(await card(page, "My App").innerText(), /rename it, e\.g\. "my-app"/);
    assert.match(await card(page, "derived").innerText(), /0\.0\.0/);
    await page.getByText("Live", { exact: true }).first().waitFor();
    assert.deepEqual(complaints, []);
    await ping.getByRole("link").click();
    await page.waitForURL(holon.url + "/apps/main/ping-card/");
    await page.close();
  });

  it("teaches where an agent has no app, and shows one that is dropped in", async () => {
    const page = await open();
    await page.getByText("agents/empty/apps/hello/").waitFor();
    await page.getByText("holon apps new hello --template card --agent empty").waitFor();
    home.app("empty", "dropped", { "index.html": sdkPage("x.js") });
    await card(page, "dropped").waitFor();
    await page.close();
  });

  it("teaches how to add a runner, and does as it says without a restart", async () => {
    home.template("idle", "ping-card");
    const page = await open();
    const section = page.getByRole("region", { name: "idle" });
    await section.getByText("No runner yet").click();
    await section.getByText('{ "runner": { "command": ["node", "worker.mjs"] } }').waitFor();
    await send("before-runner", "idle");
    const item = page.locator(".requests > li").filter({ hasText: "before-runner" });
    await item.getByText("Waiting").waitFor();
    home.file("idle", "worker.mjs", "process.exit(3);");
    home.agent("idle", { runner: { command: [process.execPath, "worker.mjs"] } });
    await section.getByText("Its runner carries out requests.").waitFor();
    await item.getByText("Failed").waitFor();
    assert.match(await item.innerText(), /3/);
    await page.close();
  });

  it("shows agents with apps before empty ones, and the way to the API reference", async () => {
    home.agent("bare", {});
    const page = await open();
    await page.getByRole("region", { name: "bare" }).waitFor();
    const agents = await page.locator(".agent h2").allInnerTexts();
    assert.equal(agents.at(-1), "bare");
    await page.getByRole("link", { name: "API reference" }).click();
    await page.getByRole("heading", { name: "API reference" }).waitFor();
    await page.close();
  });

  it("is worked by keyboard alone", async () => {
    const page = await open();
    const focused = () => page.evaluate("document.activeElement.textContent") as Promise<string>;
    const seen: string[] = [];
    for (let index = 0; index < 8; index++) {
      await page.keyboard.press("Tab");
      seen.push(await focused());
      const outline = await page.evaluate(`
        [getComputedStyle(document.activeElement), getComputedStyle(document.activeElement, "::after")]
          .some((style) => style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2)`);
      if (seen.at(-1) === "Ping Card") {
        assert.ok(outline, "what has the focus shows it");
        await page.keyboard.press("Enter");
        await page.waitForURL(/ping-card/);
        await page.close();
        return;
      }
    }
    assert.fail(`never reached: ${seen}`);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`has nothing for axe to find in ${colorScheme}, wide and narrow`, async () => {
      for (const size of [{}, PHONE]) {
        const page = await open({ ...size, colorScheme, bypassCSP: true });
        await send("axe");
        await page.getByText("axe", { exact: true }).first().waitFor();
        await page.locator("details summary").first().click();
        for (const path of ["/", "/sign-in", "/nowhere"]) {
          if (path !== "/") {
            await page.goto(holon.url + path, { waitUntil: "load" });
          }
          assert.deepEqual(await violationsOf(page), [], path);
        }
        await page.close();
      }
    });
  }

  it("fits a phone without scrolling sideways", async () => {
    home.app("main", "w".repeat(120), { "index.html": "<!DOCTYPE html><title>w</title>" });
    const page = await open(PHONE);
    await card(page, "w".repeat(120)).waitFor();
    for (const path of ["/", "/sign-in", "/nowhere"]) {
      if (path !== "/") await page.goto(holon.url + path);
      const over = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      assert.ok(over as number <= 0, `${path} is ${over} px too wide`);
    }
    await page.close();
  });

  it("searches when there are many apps", async () => {
    for (let index = 0; index < 6; index++) {
      home.app("main", `many-${index}`, { "index.html": "<!DOCTYPE html><title>m</title>" });
    }
    const page = await open();
    await page.getByLabel("Search apps").fill("many-3");
    await card(page, "many-3").waitFor();
    await until(() => page.evaluate("document.querySelectorAll('.card').length === 1"));
    await page.getByLabel("Search apps").fill("no such app");
    await page.getByText("No app has “no such app”").waitFor();
    await page.close();
  });

  it("says that the server is away, and mends itself when it is back", async () => {
    const page = await open();
    await page.locator(".connection.live").waitFor();
    const { port } = new URL(holon.url);
    await holon.stop();
    await page.locator(".connection.reconnecting").waitFor();
    await page.getByText("Holon can't be reached").waitFor();
    holon = await startHolon({ home: home.path, program: PROGRAMS.node, args: ["--port", port] });
    await page.locator(".connection.live").waitFor();
    await until(() => page.evaluate("document.querySelector('.notice.bad') === null"));
    await page.close();
  });

  async function send(type: string, agent = "main"): Promise<void> {
    const response = await fetch(`${holon.url}/apps/${agent}/ping-card/request`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ version: "1", request_type: type, payload: null }),
    });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
  }
});
